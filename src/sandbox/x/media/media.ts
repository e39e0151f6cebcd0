import { z } from 'zod';
import type { Journal } from '../../journal.ts';
import type { StoredMedia, StoredPost } from '../../social/posts.ts';
import { mediaContent } from '../../social/media-content.ts';
import type { Uploads } from '../../social/uploads.ts';
import { lowOf, snowflake } from '../ids/snowflake.ts';

const COLLECTION = 'x.media';
const CHUNKS = 'x.media-chunks';
const LIFETIME_MS = 86_400_000;
/** What moves is looked at for so long before a post takes it. */
const PROCESSING_MS = 3000;
const MEGABYTE = 1024 * 1024;
/** The most bytes of accounts that do not pay. */
const LARGEST = { image: 5 * MEGABYTE, gif: 15 * MEGABYTE, video: 8192 * MEGABYTE, sentVideo: 512 * MEGABYTE } as const;
const PREFIXES = { image: '3', video: '7', gif: '16', audio: '7' } as const;

const Upload = z.object({
  id: z.string(),
  ownerId: z.string(),
  category: z.string(),
  contentType: z.string(),
  totalBytes: z.number(),
  altText: z.string().optional(),
  /** The stage's id of the file, once all of it is there. */
  fileId: z.string().optional(),
  kind: z.enum(['image', 'video', 'gif', 'audio']).optional(),
  readyAtMs: z.number().optional(),
  /** Why it cannot be shown. */
  failure: z.string().optional(),
  createdAtMs: z.number(),
  expiresAtMs: z.number(),
  finalized: z.boolean(),
});
/** A file on its way to a post. */
export interface XUpload extends Readonly<z.output<typeof Upload>> {}

/** How far X has come with a file. */
export type Progress = 'pending' | 'in_progress' | 'succeeded' | 'failed' | undefined;

/** The files that came through the media endpoints, by the ids that they got there. */
export class XMedia {
  readonly #journal: Journal;
  readonly #uploads: Uploads;
  readonly #byId = new Map<string, XUpload>();
  readonly #byFile = new Map<string, XUpload>();
  readonly #chunks = new Map<string, Map<number, string>>();

  constructor(journal: Journal, uploads: Uploads) {
    this.#journal = journal;
    this.#uploads = uploads;
    for (const document of journal.all(COLLECTION)) this.#remember(Upload.parse(document));
    for (const document of journal.all(CHUNKS)) {
      const { id, segment, content } = Chunk.parse(document);
      this.#rememberChunk(id, segment, content);
    }
  }

  find(id: string): XUpload | undefined {
    return this.#byId.get(id);
  }

  begin({ nowMs, ...facts }: Pick<XUpload, 'ownerId' | 'category' | 'contentType' | 'totalBytes'> & { readonly nowMs: number }): XUpload {
    const id = snowflake(nowMs, this.#byId.size + 1);
    return this.#put({ ...facts, id, createdAtMs: nowMs, expiresAtMs: nowMs + LIFETIME_MS, finalized: false });
  }

  append({ id }: XUpload, segment: number, content: Buffer): void {
    const encoded = content.toString('base64');
    this.#journal.put(CHUNKS, `${id} ${segment}`, { id, segment, content: encoded });
    this.#rememberChunk(id, segment, encoded);
  }

  /** What has come of a file until now, in the order of its segments. */
  contentOf({ id }: XUpload): Buffer {
    const chunks = [...(this.#chunks.get(id) ?? [])].toSorted(([a], [b]) => a - b);
    return Buffer.concat(chunks.map(([, content]) => Buffer.from(content, 'base64')));
  }

  /** Puts the parts together; what moves is then looked at for a while. */
  finalize(upload: XUpload, nowMs: number): XUpload {
    const bytes = this.contentOf(upload);
    this.#dropChunks(upload);
    const content = mediaContent(bytes);
    const kind =
      content && content.kind === (upload.contentType === 'image/gif' ? 'gif' : upload.contentType.split('/')[0])
        ? content.kind
        : undefined;
    const moves = upload.contentType === 'image/gif' || upload.contentType.startsWith('video/');
    const readyAtMs = moves ? nowMs + PROCESSING_MS : nowMs;
    if (!content || kind === undefined) {
      return this.#put({ ...upload, finalized: true, readyAtMs, failure: `Unsupported file: this is no ${upload.contentType}` });
    }
    const { ownerId, expiresAtMs } = upload;
    const file = this.#uploads.add({ ...content, ownerId, readyAtMs, expiresAtMs }, bytes);
    return this.#put({ ...upload, finalized: true, readyAtMs, fileId: file.id, kind });
  }

  describe(upload: XUpload, altText: string): XUpload {
    return this.#put({ ...upload, altText });
  }

  /** The file as a post shows it; undefined while a post cannot take it. */
  attachable(id: string, { ownerId, nowMs }: { readonly ownerId: string; readonly nowMs: number }): StoredMedia | undefined {
    const upload = this.#byId.get(id);
    const file = upload?.fileId === undefined ? undefined : this.#uploads.find(upload.fileId);
    if (!upload || !file || upload.ownerId !== ownerId || nowMs >= upload.expiresAtMs || nowMs < (upload.readyAtMs ?? 0)) return undefined;
    const { kind, width, height, sizeBytes } = file;
    return { id: file.id, kind, altText: upload.altText, width, height, sizeBytes };
  }

  /** What X calls a file in a post. */
  keyOf(media: StoredMedia, post: Pick<StoredPost, 'createdAtMs'>): string {
    const upload = this.#byFile.get(media.id);
    return `${PREFIXES[media.kind]}_${upload?.id ?? snowflake(post.createdAtMs, lowOf(media.id))}`;
  }

  #dropChunks({ id }: XUpload): void {
    for (const segment of this.#chunks.get(id)?.keys() ?? []) this.#journal.drop(CHUNKS, `${id} ${segment}`);
    this.#chunks.delete(id);
  }

  #put(upload: XUpload): XUpload {
    this.#journal.put(COLLECTION, upload.id, { ...upload });
    this.#remember(upload);
    return upload;
  }

  #remember(upload: XUpload): void {
    this.#byId.set(upload.id, upload);
    if (upload.fileId !== undefined) this.#byFile.set(upload.fileId, upload);
  }

  #rememberChunk(id: string, segment: number, content: string): void {
    this.#chunks.set(id, (this.#chunks.get(id) ?? new Map<number, string>()).set(segment, content));
  }
}

const Chunk = z.object({ id: z.string(), segment: z.int(), content: z.string() });

/** Absent where there is nothing to be waited for. */
export function progressOf({ contentType, readyAtMs = 0, failure }: XUpload, nowMs: number): Progress {
  if (contentType !== 'image/gif' && !contentType.startsWith('video/')) return failure === undefined ? undefined : 'failed';
  if (nowMs < readyAtMs) return readyAtMs - nowMs > PROCESSING_MS / 2 ? 'pending' : 'in_progress';
  return failure === undefined ? 'succeeded' : 'failed';
}

/** How many hundredths of the processing are done. */
export function percentOf({ readyAtMs = 0 }: XUpload, nowMs: number): number {
  return Math.max(0, Math.min(100, Math.round(100 - ((readyAtMs - nowMs) / PROCESSING_MS) * 100)));
}

/** The most bytes that a file of this type may have, in a post or in a message. */
export function largestOf(contentType: string, category: string): number {
  if (contentType === 'image/gif') return LARGEST.gif;
  if (contentType.startsWith('image/')) return LARGEST.image;
  return category === 'dm_video' ? LARGEST.sentVideo : LARGEST.video;
}
