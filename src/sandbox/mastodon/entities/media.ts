import type { JsonObject } from '#src/operation/json.ts';
import type { StoredMedia, StoredPost } from '../../social/posts.ts';
import type { Upload } from '../../social/uploads.ts';
import type { Ground } from '../ground.ts';
import { orderOf, placeAt } from '../identifiers/places.ts';

const TYPES = { image: 'image', video: 'video', gif: 'gifv', audio: 'audio' } as const;
/** Every picture has one; what it stands for is a matter of taste. */
const BLURHASH = 'UFBWY:8_0Jxv4mx]t8t64.%M-:IUWGWAt6M}';
const SMALL_PIXELS = 230_400;

/** The id of an upload; what people's posts show has ids of the same sort. */
export function mediaId(uploadId: string, { ids, files }: Pick<Ground, 'ids' | 'files'>): string {
  return ids.write(placeAt(files.find(uploadId)?.createdAtMs ?? 0, orderOfUpload(uploadId)));
}

/** The name of an upload by its id; undefined where there is none. */
export function uploadNamed(id: string, ground: Pick<Ground, 'ids' | 'files'>): string | undefined {
  return ground.files.all().find(({ uploadId }) => mediaId(uploadId, ground) === id)?.uploadId;
}

/** A file that is in no post yet; its address comes when the server is done with it. */
export function toUploadAnswer(upload: Upload, ground: Ground, nowMs: number): JsonObject {
  const facts = ground.files.find(upload.id);
  const media = { ...upload, altText: facts?.description ?? upload.altText };
  return { ...toAttachment(media, mediaId(upload.id, ground), ground), ...(nowMs < upload.readyAtMs && { url: null }) };
}

/** The files of a post. */
export function attachmentsOf(
  post: Pick<StoredPost, 'id' | 'createdAtMs'>,
  media: readonly StoredMedia[],
  ground: Ground,
): readonly JsonObject[] {
  return media.map((one) => {
    const isUploaded = ground.files.find(one.id) !== undefined;
    const id = isUploaded ? mediaId(one.id, ground) : ground.ids.write(placeAt(post.createdAtMs, orderOf(one.id)));
    return toAttachment(one, id, ground);
  });
}

function toAttachment({ id: name, kind, altText, width, height }: StoredMedia, id: string, { home, files }: Ground): JsonObject {
  const focus = files.find(name)?.focus;
  const isSeen = width !== undefined && height !== undefined;
  return {
    id,
    type: TYPES[kind],
    url: `${home}/media/${name}`,
    preview_url: kind === 'audio' ? null : `${home}/media/${name}`,
    remote_url: null,
    preview_remote_url: null,
    text_url: null,
    meta: { ...(focus && { focus: { ...focus } }), ...(isSeen && { original: sized(width, height), small: shrunk(width, height) }) },
    description: altText ?? null,
    blurhash: kind === 'audio' ? null : BLURHASH,
  };
}

function shrunk(width: number, height: number): JsonObject {
  const scale = Math.min(1, Math.sqrt(SMALL_PIXELS / (width * height)));
  return sized(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
}

function sized(width: number, height: number): JsonObject {
  return { width, height, size: `${width}x${height}`, aspect: width / height };
}

function orderOfUpload(uploadId: string): number {
  return Number(uploadId.slice('media-'.length)) & 0xffff;
}
