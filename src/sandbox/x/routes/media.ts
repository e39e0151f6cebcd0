import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import { mediaContent } from '../../social/media-content.ts';
import { isId } from '../ids/snowflake.ts';
import { largestOf, percentOf, progressOf, type XUpload } from '../media/media.ts';
import { invalid, invalidParameter, notFound } from '../problem.ts';
import type { XRequest, XRoute } from '../request.ts';
import { bodyOf, idIn, signedIn } from './parameters.ts';
import { partsOf, type Parts } from './media-parts.ts';

const CATEGORIES = ['amplify_video', 'tweet_image', 'tweet_gif', 'tweet_video', 'dm_image', 'dm_gif', 'dm_video', 'subtitles'] as const;
const MOST_SEGMENTS = 1000;
const Category = z.enum(CATEGORIES);
const Begin = z.object({
  media_type: z.string().regex(/^(?:image|video)\/[\w.+-]+$/, 'is not a type of media'),
  total_bytes: z.coerce.number().int().min(1),
  media_category: Category.default('tweet_image'),
});
const Metadata = z.strictObject({
  id: z.string().refine(isId, 'is not an id'),
  metadata: z.looseObject({ alt_text: z.strictObject({ text: z.string().max(1000) }).optional() }),
});

const write = { method: 'POST', access: { scopes: ['media.write'] } } as const;

function begin(parts: Parts, request: XRequest): JsonObject {
  const form = Begin.safeParse(parts.values);
  if (!form.success) throw invalid(...form.error.issues.map(({ path, message }) => ({ message: `$.${path.join('.')}: ${message}` })));
  const { media_type: contentType, total_bytes: totalBytes, media_category: category } = form.data;
  const largest = largestOf(contentType, category);
  if (totalBytes > largest)
    throw invalid({ parameters: { total_bytes: [String(totalBytes)] }, message: `File size exceeds ${largest} bytes.` });
  const { moment, media } = request;
  const upload = media.begin({ ownerId: signedIn(request).id, category, contentType, totalBytes, nowMs: moment.now.getTime() });
  return { data: { id: upload.id, media_key: keyOf(upload), expires_after_secs: secondsLeft(upload, request) } };
}

function append(id: string, { values, file }: Parts, request: XRequest): JsonObject {
  const upload = own(id, request);
  const segment = Number(values['segment_index']);
  if (!Number.isInteger(segment) || segment < 0 || segment >= MOST_SEGMENTS) {
    throw invalid({
      parameters: { segment_index: [String(values['segment_index'])] },
      message: `$.segment_index: is not between 0 and ${MOST_SEGMENTS - 1}`,
    });
  }
  if (!file || upload.finalized) throw invalid({ message: file ? 'The media is finalized already.' : '$.media: is missing' });
  request.media.append(upload, segment, file);
  return { data: { expires_at: Math.floor(upload.expiresAtMs / 1000) } };
}

function finalize(id: string, request: XRequest): JsonObject {
  const upload = own(id, request);
  if (!upload.finalized && request.media.contentOf(upload).length !== upload.totalBytes) {
    throw invalid({ parameters: { media_id: [id] }, message: 'Segments do not add up to provided total file size.' });
  }
  const done = upload.finalized ? upload : request.media.finalize(upload, request.moment.now.getTime());
  if (done.failure !== undefined && progressOf(done, request.moment.now.getTime()) === 'failed' && !done.contentType.startsWith('video/')) {
    throw invalid({ parameters: { media_id: [id] }, message: done.failure });
  }
  return { data: describe(done, request) };
}

/** A whole file in one request. */
function simple({ values, file }: Parts, request: XRequest): JsonObject {
  if (!file) throw invalid({ message: '$.media: is missing' });
  const category = Category.safeParse(values['media_category'] ?? 'tweet_image');
  if (!category.success) throw invalid({ message: `$.media_category: is not one of [${CATEGORIES.join(',')}]` });
  const contentType = mediaContent(file)?.contentType ?? textOf(values['media_type']);
  if (!/^(?:image|video)\//.test(contentType)) throw invalid({ message: '$.media: is no picture and no video' });
  const largest = largestOf(contentType, category.data);
  if (file.length > largest) throw invalid({ message: `File size exceeds ${largest} bytes.` });
  const { media, moment } = request;
  const nowMs = moment.now.getTime();
  const upload = media.begin({ ownerId: signedIn(request).id, category: category.data, contentType, totalBytes: file.length, nowMs });
  media.append(upload, 0, file);
  return { data: describe(media.finalize(upload, nowMs), request) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function own(id: string, request: XRequest): XUpload {
  const upload = isId(id) ? request.media.find(id) : undefined;
  if (upload?.ownerId !== signedIn(request).id || request.moment.now.getTime() >= upload.expiresAtMs) throw notFound();
  return upload;
}

function describe(upload: XUpload, request: XRequest): JsonObject {
  const nowMs = request.moment.now.getTime();
  const state = upload.finalized ? progressOf(upload, nowMs) : undefined;
  const waits = state === 'pending' || state === 'in_progress';
  return {
    id: upload.id,
    media_key: keyOf(upload),
    size: upload.totalBytes,
    expires_after_secs: secondsLeft(upload, request),
    processing_info: state && {
      state,
      ...(waits ? { check_after_secs: 1 } : {}),
      ...(state === 'pending' ? {} : { progress_percent: percentOf(upload, nowMs) }),
      ...(state === 'failed' ? { error: { code: 1, name: 'InvalidMedia', message: upload.failure } } : {}),
    },
  };
}

function keyOf({ id, contentType, category }: XUpload): string {
  if (category === 'amplify_video') return `13_${id}`;
  return `${contentType === 'image/gif' ? '16' : contentType.startsWith('image/') ? '3' : '7'}_${id}`;
}

function secondsLeft({ expiresAtMs }: XUpload, { moment }: XRequest): number {
  return Math.floor((expiresAtMs - moment.now.getTime()) / 1000);
}

/** Files on their way to posts. */
export const mediaRoutes: readonly XRoute[] = [
  {
    ...write,
    path: '/media/upload',
    limits: { user: 500, appDay: 50_000 },
    parameters: ['command', 'media_category', 'media_id', 'segment_index', 'media_type', 'total_bytes'],
    async answer(request) {
      const parts = await partsOf(request);
      const id = textOf(parts.values['media_id']);
      switch (parts.values['command']) {
        case 'INIT':
          return begin(parts, request);
        case 'APPEND':
          return append(id, parts, request);
        case 'FINALIZE':
          return finalize(id, request);
        default:
          return simple(parts, request);
      }
    },
  },
  {
    ...write,
    path: '/media/upload/initialize',
    limits: { user: 1875, appDay: 180_000 },
    answer: async (request) => begin(await partsOf(request), request),
  },
  {
    ...write,
    path: '/media/upload/:id/append',
    limits: { user: 1875, appDay: 180_000 },
    answer: async (request) => append(idIn(request, 'id'), await partsOf(request), request),
  },
  {
    ...write,
    path: '/media/upload/:id/finalize',
    limits: { user: 1875, appDay: 180_000 },
    answer: (request) => finalize(idIn(request, 'id'), request),
  },
  {
    method: 'GET',
    path: '/media/upload',
    access: { scopes: ['media.write'] },
    limits: { user: 1000, appDay: 100_000 },
    parameters: ['command', 'media_id'],
    answer(request) {
      const command = request.query.get('command') ?? 'STATUS';
      if (command !== 'STATUS') throw invalidParameter('command', command, 'is not one of [STATUS]');
      return { data: describe(own(request.query.get('media_id') ?? '', request), request) };
    },
  },
  {
    ...write,
    path: '/media/metadata',
    limits: { user: 500, appDay: 50_000 },
    async answer(request) {
      const { id, metadata } = await bodyOf(Metadata, request);
      const upload = own(id, request);
      if (metadata.alt_text) request.media.describe(upload, metadata.alt_text.text);
      return { data: { id, associated_metadata: metadata.alt_text ? { alt_text: metadata.alt_text } : {} } };
    },
  },
];
