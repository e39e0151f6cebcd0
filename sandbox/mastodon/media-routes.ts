import { type Upload, mediaContent } from '../social/media.ts';
import { attachmentKind } from './attachment-kind.ts';
import { invalid, recordNotFound, routeNotFound } from './refusal.ts';
import { json, type Routes, type SignedInRequest } from './request.ts';
import type { FileFacts } from './state.ts';
import { toUpload, uploadNamed } from './status-json.ts';

const MEBI = 1024 * 1024;
export const MEDIA = { imageLimit: 16 * MEBI, imageMatrixLimit: 33_177_600, videoLimit: 99 * MEBI } as const;
/** The limit of GIF files, which the description of the server does not state. */
const GIF_MATRIX_LIMIT = 921_600;
/** How long the server processes a video or a sound. */
const PROCESSING_MS = 3000;
const LIFETIME_MS = 86_400_000;

/** `/api/v1/media` and `/api/v2/media`: files for statuses. */
export function mediaRoutes(routes: Routes): void {
  routes.signedIn('POST /v2/media', 'write:media', async (request) => {
    if (!request.state.settings.features.isMastodon) throw routeNotFound();
    return answer(await store(request, PROCESSING_MS), request, 202);
  });

  // The older route answers only after the file is processed.
  routes.signedIn('POST /v1/media', 'write:media', async (request) => answer(await store(request, 0), request, 200));

  routes.signedIn('GET /v1/media/:id', 'write:media', (request) => answer(requireFree(request).upload, request, 206));

  routes.signedIn('PUT /v1/media/:id', 'write:media', (request) => {
    const { upload, facts } = requireFree(request);
    const description = readDescription(request) ?? facts.description;
    request.state.files.put({ ...facts, ...(description !== undefined && { description }) });
    return answer(upload, request, 206);
  });
}

function answer(upload: Upload, request: SignedInRequest, statusWhileProcessing: number): Response {
  const { state, nowMs } = request;
  return json(request, toUpload(upload, state, nowMs), nowMs < upload.readyAtMs ? statusWhileProcessing : 200);
}

async function store(request: SignedInRequest, processingMs: number): Promise<Upload> {
  const { fields, viewer, nowMs, uploads, state } = request;
  const file = fields.file('file');
  if (!file) throw invalid("File can't be blank");
  const bytes = Buffer.from(await file.arrayBuffer());
  const content = mediaContent(bytes);
  if (!content) throw invalid('File content type is invalid, File is invalid');
  const { contentType, width = 0, height = 0 } = content;
  const kind = attachmentKind(content, bytes);
  const most = contentType.startsWith('image/') ? MEDIA.imageLimit : MEDIA.videoLimit;
  if (bytes.length > most) throw invalid(`File file size must be less than ${most / MEBI} MB`);
  const isGif = contentType === 'image/gif' && state.settings.features.isMastodon;
  if (isGif && width * height > GIF_MATRIX_LIMIT) throw invalid(`${width}x${height} GIF files are not supported`);
  if (width * height > MEDIA.imageMatrixLimit) throw invalid(`${width}x${height} images are not supported`);
  const description = readDescription(request);
  const readyAtMs = kind === 'image' ? nowMs : nowMs + processingMs;
  const upload = uploads.add(
    { ...content, kind, ownerId: viewer.id, altText: description, readyAtMs, expiresAtMs: nowMs + LIFETIME_MS },
    bytes,
  );
  state.files.put({ uploadId: upload.id, createdAtMs: nowMs, ...(description !== undefined && { description }) });
  return upload;
}

function readDescription({ fields, state }: SignedInRequest): string | undefined {
  const { descriptionLimit } = state.settings.current;
  const description = fields.text('description')?.trim();
  if (Array.from(description ?? '').length > descriptionLimit) {
    throw invalid(`Description is too long (maximum is ${descriptionLimit} characters)`);
  }
  return description;
}

/** A file of the viewer that is in no status. */
function requireFree({ param, state, uploads, viewer }: SignedInRequest): { readonly upload: Upload; readonly facts: FileFacts } {
  const upload = uploads.find(uploadNamed(param('id'), state) ?? '');
  const facts = upload && state.files.get(upload.id);
  if (!facts || upload.ownerId !== viewer.id || facts.attachedTo !== undefined) throw recordNotFound();
  return { upload, facts };
}
