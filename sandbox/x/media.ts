import { z } from 'zod';
import type { Journal } from '../journal.ts';
import { type Uploads, mediaContent } from '../social/media.ts';
import type { StoredMedia, StoredPost } from '../social/posts.ts';
import { StoredMap } from '../stored-map.ts';
import { lowBitsOf, snowflake } from './ids.ts';

const LIFETIME_MS = 86_400_000;
/** How long X processes a video or a GIF. */
const PROCESSING_MS = 3000;
const MEGABYTE = 1024 * 1024;
const LARGEST = { image: 5 * MEGABYTE, gif: 15 * MEGABYTE, video: 8192 * MEGABYTE, messageVideo: 512 * MEGABYTE } as const;
const PREFIXES = { image: '3', video: '7', gif: '16', audio: '7' } as const;

const Upload = z.object({
  id: z.string(),
  ownerId: z.string(),
  category: z.string(),
  contentType: z.string(),
  totalBytes: z.number(),
  altText: z.string().optional(),
  /** Whether a warning covers it. */
  sensitive: z.boolean().optional(),
  /** The upload of the social core, once the file is complete. */
  fileId: z.string().optional(),
  readyAtMs: z.number().optional(),
  /** Why the file cannot be shown. */
  failure: z.string().optional(),
  expiresAtMs: z.number(),
  isFinalized: z.boolean(),
});
/** A file that is uploaded in parts. */
export type XUpload = Readonly<z.output<typeof Upload>>;

const Chunk = z.object({ uploadId: z.string(), segment: z.int(), content: z.string() });

/** The uploads by their media ids. */
export class XMedia {
  readonly #files: Uploads;
  readonly #uploads: StoredMap<XUpload>;
  readonly #chunks: StoredMap<z.output<typeof Chunk>>;

  constructor(journal: Journal, files: Uploads) {
    this.#files = files;
    this.#uploads = new StoredMap({ journal, collection: 'x.media', schema: Upload, keyOf: ({ id }) => id });
    const keyOf = ({ uploadId, segment }: z.output<typeof Chunk>): string => `${uploadId} ${segment}`;
    this.#chunks = new StoredMap({ journal, collection: 'x.media-chunks', schema: Chunk, keyOf });
  }

  find(id: string): XUpload | undefined {
    return this.#uploads.get(id);
  }

  begin({ nowMs, ...facts }: Pick<XUpload, 'ownerId' | 'category' | 'contentType' | 'totalBytes'> & { readonly nowMs: number }): XUpload {
    const id = snowflake(nowMs, this.#uploads.size + 1);
    return this.#uploads.put({ ...facts, id, expiresAtMs: nowMs + LIFETIME_MS, isFinalized: false });
  }

  append({ id }: XUpload, segment: number, content: Buffer): void {
    this.#chunks.put({ uploadId: id, segment, content: content.toString('base64') });
  }

  /** The received bytes in the order of their segments. */
  contentOf({ id }: XUpload): Buffer {
    const chunks = this.#chunks.all().filter(({ uploadId }) => uploadId === id);
    return Buffer.concat(chunks.toSorted((a, b) => a.segment - b.segment).map(({ content }) => Buffer.from(content, 'base64')));
  }

  /** Completes a file. X then processes videos and GIFs. */
  finalize(upload: XUpload, nowMs: number): XUpload {
    const bytes = this.contentOf(upload);
    const content = mediaContent(bytes);
    const readyAtMs = isProcessed(upload) ? nowMs + PROCESSING_MS : nowMs;
    if (!content || familyOf(content.contentType) !== familyOf(upload.contentType)) {
      const failure = `Unsupported file: this is no ${upload.contentType}`;
      return this.#uploads.put({ ...upload, isFinalized: true, readyAtMs, failure });
    }
    const file = this.#files.add({ ...content, ownerId: upload.ownerId, readyAtMs, expiresAtMs: upload.expiresAtMs }, bytes);
    return this.#uploads.put({ ...upload, isFinalized: true, readyAtMs, fileId: file.id });
  }

  describe(upload: XUpload, facts: Pick<XUpload, 'altText' | 'sensitive'>): void {
    this.#uploads.put({ ...upload, ...facts });
  }

  /** The file as a post stores it; undefined while a post cannot contain it. */
  attachable(id: string, { ownerId, nowMs }: { readonly ownerId: string; readonly nowMs: number }): StoredMedia | undefined {
    const upload = this.#uploads.get(id);
    const file = this.#files.find(upload?.fileId ?? '');
    if (!upload || !file || upload.ownerId !== ownerId || nowMs >= upload.expiresAtMs || nowMs < (upload.readyAtMs ?? 0)) return undefined;
    const { kind, width, height, sizeBytes } = file;
    return { id: file.id, kind, altText: upload.altText, sensitive: upload.sensitive, width, height, sizeBytes };
  }

  /** The media key of a file in a post. */
  keyOf(media: StoredMedia, post: Pick<StoredPost, 'createdAtMs'>): string {
    const upload = this.#uploads.all().find(({ fileId }) => fileId === media.id);
    return `${PREFIXES[media.kind]}_${upload?.id ?? snowflake(post.createdAtMs, lowBitsOf(media.id))}`;
  }
}

function isProcessed({ contentType }: Pick<XUpload, 'contentType'>): boolean {
  return contentType === 'image/gif' || contentType.startsWith('video/');
}

function familyOf(contentType: string): string | undefined {
  return contentType === 'image/gif' ? 'gif' : contentType.split('/')[0];
}

/** The processing state of a file; undefined if X does not process it. */
export function progressOf(upload: XUpload, nowMs: number): 'pending' | 'in_progress' | 'succeeded' | 'failed' | undefined {
  const { readyAtMs = 0, failure } = upload;
  if (!isProcessed(upload)) return failure === undefined ? undefined : 'failed';
  if (nowMs < readyAtMs) return readyAtMs - nowMs > PROCESSING_MS / 2 ? 'pending' : 'in_progress';
  return failure === undefined ? 'succeeded' : 'failed';
}

/** The greatest size of a file in a post or a message. */
export function largestOf(contentType: string, category: string): number {
  if (contentType === 'image/gif') return LARGEST.gif;
  if (contentType.startsWith('image/')) return LARGEST.image;
  return category === 'dm_video' ? LARGEST.messageVideo : LARGEST.video;
}
