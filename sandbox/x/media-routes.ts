import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { mediaContent } from '../social/media.ts';
import { isId } from './ids.ts';
import { largestOf, progressOf, type XUpload } from './media.ts';
import { invalid, invalidParameter, notFound } from './problem.ts';
import { bodyOf, idIn, signedIn, type XRequest, route, type XRoute } from './request.ts';

const MOST_SEGMENTS = 1000;
/** The fields of an upload in one request: the OpenAPI document has no `media_type`. */
const UPLOAD_FIELDS: readonly string[] = ['media', 'media_category', 'additional_owners', 'shared'];
const Begin = z.object({
  media_type: z.string().regex(/^(?:image|video)\/[\w.+-]+$/, 'is not a type of media'),
  total_bytes: z.coerce.number().int().min(1),
  media_category: z
    .enum(['amplify_video', 'tweet_image', 'tweet_gif', 'tweet_video', 'dm_image', 'dm_gif', 'dm_video'])
    .default('tweet_image'),
});
const Metadata = z.strictObject({
  id: z.string(),
  metadata: z.looseObject({
    alt_text: z.strictObject({ text: z.string().max(1000) }).optional(),
    sensitive_media_warning: z
      .strictObject({ adult_content: z.boolean().optional(), graphic_violence: z.boolean().optional(), other: z.boolean().optional() })
      .optional(),
  }),
});

/** `/2/media`: uploads in one request and in parts. */
export const mediaRoutes: readonly XRoute[] = [
  route('POST /media/upload', { scopes: 'media.write', limits: { user: 500 } }, async (request) => {
    const parts = await readParts(request);
    const unknown = Object.keys(parts).find((name) => !UPLOAD_FIELDS.includes(name));
    if (unknown !== undefined)
      throw invalid({ message: `$.${unknown}: is not defined in the schema and the schema does not allow additional properties` });
    const { media, media_category: category = 'tweet_image' } = parts;
    const contentType = media && mediaContent(media)?.contentType;
    if (!media || contentType === undefined) throw invalid({ message: '$.media: is not a picture or a video' });
    const largest = largestOf(contentType, category.toString());
    if (media.length > largest) throw invalid({ message: `File size exceeds ${largest} bytes.` });
    const { nowMs, xMedia } = request;
    const facts = { category: category.toString(), contentType, totalBytes: media.length };
    const upload = xMedia.begin({ ...facts, ownerId: signedIn(request).id, nowMs });
    xMedia.append(upload, 0, media);
    return { data: describe(xMedia.finalize(upload, nowMs), request) };
  }),
  route('POST /media/upload/initialize', { scopes: 'media.write', limits: { user: 1875 } }, async (request) => {
    const { media_type: contentType, total_bytes: totalBytes, media_category: category } = await bodyOf(Begin, request);
    const largest = largestOf(contentType, category);
    if (totalBytes > largest) {
      throw invalid({ parameters: { total_bytes: [String(totalBytes)] }, message: `File size exceeds ${largest} bytes.` });
    }
    const { nowMs, xMedia } = request;
    const upload = xMedia.begin({ ownerId: signedIn(request).id, category, contentType, totalBytes, nowMs });
    return { data: { id: upload.id, media_key: keyOf(upload), expires_after_secs: secondsLeft(upload, request) } };
  }),
  route('POST /media/upload/:id/append', { scopes: 'media.write', limits: { user: 1875 } }, async (request) => {
    const upload = requireUpload(idIn(request, 'id'), request);
    const { segment_index: index, media } = await readParts(request);
    const segment = Number(index?.toString());
    if (!Number.isInteger(segment) || segment < 0 || segment >= MOST_SEGMENTS) {
      throw invalid({ message: `$.segment_index: is not between 0 and ${MOST_SEGMENTS - 1}` });
    }
    if (!media || upload.isFinalized) throw invalid({ message: media ? 'The media is finalized already.' : '$.media: is missing' });
    request.xMedia.append(upload, segment, media);
    return { data: { expires_at: Math.floor(upload.expiresAtMs / 1000) } };
  }),
  route('POST /media/upload/:id/finalize', { scopes: 'media.write', limits: { user: 1875 } }, (request) => {
    const id = idIn(request, 'id');
    const upload = requireUpload(id, request);
    const { xMedia, nowMs } = request;
    if (!upload.isFinalized && xMedia.contentOf(upload).length !== upload.totalBytes) {
      throw invalid({ parameters: { media_id: [id] }, message: 'Segments do not add up to provided total file size.' });
    }
    const done = upload.isFinalized ? upload : xMedia.finalize(upload, nowMs);
    const { failure, contentType } = done;
    // X reports a broken video only in its processing state.
    if (failure !== undefined && progressOf(done, nowMs) === 'failed' && !contentType.startsWith('video/')) {
      throw invalid({ parameters: { media_id: [id] }, message: failure });
    }
    return { data: describe(done, request) };
  }),
  route('GET /media/upload', { scopes: 'media.write', limits: { user: 1000 }, parameters: ['command', 'media_id'] }, (request) => {
    const command = request.query.get('command') ?? 'STATUS';
    if (command !== 'STATUS') throw invalidParameter('command', command, 'is not one of [STATUS]');
    return { data: describe(requireUpload(request.query.get('media_id') ?? '', request), request) };
  }),
  route('POST /media/metadata', { scopes: 'media.write', limits: { user: 500 } }, async (request) => {
    const { id, metadata } = await bodyOf(Metadata, request);
    const upload = requireUpload(id, request);
    const { alt_text: alt, sensitive_media_warning: warning } = metadata;
    request.xMedia.describe(upload, {
      ...(alt && { altText: alt.text }),
      ...(warning && { sensitive: Object.values(warning).includes(true) }),
    });
    const associated = { ...(alt && { alt_text: alt }), ...(warning && { sensitive_media_warning: warning }) };
    return { data: { id, associated_metadata: associated } };
  }),
];

function requireUpload(id: string, request: XRequest): XUpload {
  const upload = isId(id) ? request.xMedia.find(id) : undefined;
  if (upload?.ownerId !== signedIn(request).id || request.nowMs >= upload.expiresAtMs) throw notFound();
  return upload;
}

function describe(upload: XUpload, request: XRequest): JsonObject {
  const { id, totalBytes, failure } = upload;
  const state = upload.isFinalized ? progressOf(upload, request.nowMs) : undefined;
  return {
    id,
    media_key: keyOf(upload),
    size: totalBytes,
    expires_after_secs: secondsLeft(upload, request),
    processing_info: state && {
      state,
      check_after_secs: state === 'pending' || state === 'in_progress' ? 1 : undefined,
      progress_percent: state === 'pending' ? undefined : state === 'in_progress' ? 50 : 100,
      error: state === 'failed' ? { code: 1, name: 'InvalidMedia', message: failure } : undefined,
    },
  };
}

function keyOf({ id, contentType }: XUpload): string {
  return `${contentType === 'image/gif' ? '16' : contentType.startsWith('image/') ? '3' : '7'}_${id}`;
}

function secondsLeft({ expiresAtMs }: XUpload, { nowMs }: XRequest): number {
  return Math.floor((expiresAtMs - nowMs) / 1000);
}

/** The parts of a multipart body by name. `Request.formData` would decode the bytes of a part without a file name. */
async function readParts({ contentType, bytes }: XRequest): Promise<Readonly<Record<string, Buffer>>> {
  const [, boundary] = /;\s*boundary="?([^";\s]+)/i.exec(contentType) ?? [];
  if (boundary === undefined) throw invalid({ message: 'The form is not well formed.' });
  const body = await bytes();
  const delimiter = Buffer.from(`--${boundary}`);
  const parts: Record<string, Buffer> = {};
  for (let start = body.indexOf(delimiter); start >= 0;) {
    const from = start + delimiter.length + '\r\n'.length;
    start = body.indexOf(delimiter, from);
    const part = body.subarray(from, Math.max(from, start - '\r\n'.length));
    const headersEnd = part.indexOf('\r\n\r\n');
    const [, name] = /^content-disposition:[^\r\n]*;\s*name="([^"]*)"/im.exec(part.subarray(0, Math.max(0, headersEnd)).toString()) ?? [];
    if (name !== undefined) parts[name] = Buffer.from(part.subarray(headersEnd + '\r\n\r\n'.length));
  }
  return parts;
}
