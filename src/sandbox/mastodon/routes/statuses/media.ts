import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { mediaContent, type MediaContent } from '../../../social/media-content.ts';
import type { Upload } from '../../../social/uploads.ts';
import { toUploadAnswer, uploadNamed } from '../../entities/media.ts';
import { DESCRIPTION_LIMIT, IMAGE_LIMIT, IMAGE_MATRIX_LIMIT, VIDEO_LIMIT } from '../../posts/bounds.ts';
import type { FileFacts } from '../../posts/files.ts';
import { invalid, MastodonRefusal, recordNotFound } from '../../refusal.ts';
import { json, type UserVisit } from '../../visit.ts';
import { nowhere, signedIn, type Routes } from '../api.ts';

const MEBI = 1024 * 1024;
/** How long the server works on what moves or sounds. */
const PROCESSING_MS = 3000;
const LIFETIME_MS = 86_400_000;

/** `/api/v1/media` and `/api/v2/media`: files for posts. */
export function mediaRoutes(routes: Routes): void {
  routes.post(
    '/v2/media',
    signedIn('write:media', async (found) => {
      if (!found.ground.settings.features.hasMediaV2) return nowhere(found.ground);
      const upload = await take(found, PROCESSING_MS);
      const isReady = found.moment.now.getTime() >= upload.readyAtMs;
      return answer(upload, found, isReady ? 200 : 202);
    }),
  );

  // The older one answers once it is done, and so has nothing to wait for.
  routes.post(
    '/v1/media',
    signedIn('write:media', async (found) => answer(await take(found, 0), found)),
  );

  routes.get(
    '/v1/media/:id',
    signedIn('write:media', (found, c) => {
      const { upload } = requireFree(c.req.param('id') ?? '', found);
      return answer(upload, found, found.moment.now.getTime() < upload.readyAtMs ? 206 : 200);
    }),
  );

  routes.put(
    '/v1/media/:id',
    signedIn('write:media', (found, c) => {
      const { upload, facts } = requireFree(c.req.param('id') ?? '', found);
      const description = readDescription(found) ?? facts.description;
      const focus = readFocus(found) ?? facts.focus;
      found.ground.files.put({ ...facts, ...(description !== undefined && { description }), ...(focus && { focus }) });
      return answer(upload, found, found.moment.now.getTime() < upload.readyAtMs ? 206 : 200);
    }),
  );

  routes.delete(
    '/v1/media/:id',
    signedIn('write:media', (found, c) => {
      if (found.ground.settings.features.apiVersion === undefined) return nowhere(found.ground);
      const { facts } = requireFree(c.req.param('id') ?? '', found);
      found.ground.files.put({ ...facts, isDeleted: true });
      return json(found, {});
    }),
  );
}

function answer(upload: Upload, found: UserVisit, status: ContentfulStatusCode = 200): Response {
  return json(found, toUploadAnswer(upload, found.ground, found.moment.now.getTime()), status);
}

async function take(found: UserVisit, processingMs: number): Promise<Upload> {
  const { fields, viewer, moment, uploads, ground } = found;
  const file = fields.file('file');
  if (!file) throw invalid('fileBlank');
  const bytes = Buffer.from(await file.arrayBuffer());
  const content = mediaContent(bytes);
  if (!content) throw invalid('fileType');
  checkSize(content, bytes.length);
  const description = readDescription(found);
  const focus = readFocus(found);

  const nowMs = moment.now.getTime();
  const readyAtMs = content.kind === 'image' ? nowMs : nowMs + processingMs;
  const upload = uploads.add({ ...content, ownerId: viewer.id, altText: description, readyAtMs, expiresAtMs: nowMs + LIFETIME_MS }, bytes);
  ground.files.put({
    uploadId: upload.id,
    createdAtMs: nowMs,
    isDeleted: false,
    ...(description !== undefined && { description }),
    ...(focus && { focus }),
  });
  return upload;
}

function checkSize({ kind, width = 0, height = 0 }: MediaContent, sizeBytes: number): void {
  const most = kind === 'image' || kind === 'gif' ? IMAGE_LIMIT : VIDEO_LIMIT;
  if (sizeBytes > most) throw invalid('fileSize', most / MEBI);
  if (width * height > IMAGE_MATRIX_LIMIT) throw new MastodonRefusal(422, { error: `${width}x${height} images are not supported` });
}

function readDescription({ fields }: UserVisit): string | undefined {
  const description = fields.text('description')?.trim();
  if (description !== undefined && Array.from(description).length > DESCRIPTION_LIMIT) throw invalid('descriptionLong', DESCRIPTION_LIMIT);
  return description;
}

function readFocus({ fields }: UserVisit): FileFacts['focus'] {
  const [x, y] = (fields.text('focus') ?? '').split(',').map(Number);
  const clamp = (value: number): number => Math.max(-1, Math.min(1, value));
  return x === undefined || y === undefined || Number.isNaN(x) || Number.isNaN(y) ? undefined : { x: clamp(x), y: clamp(y) };
}

/** A file of the viewer's that is in no post yet. */
function requireFree(id: string, { ground, uploads, viewer }: UserVisit): { readonly upload: Upload; readonly facts: FileFacts } {
  const upload = uploads.find(uploadNamed(id, ground) ?? '');
  const facts = upload && ground.files.find(upload.id);
  if (!facts || upload.ownerId !== viewer.id || facts.attachedTo !== undefined || facts.isDeleted) throw recordNotFound();
  return { upload, facts };
}
