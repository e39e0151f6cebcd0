import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { Journal } from '../journal.ts';
import { draw } from '../twitch/pictures.ts';
import { type GeneratedPosts, PICTURE_PREFIX } from './generated-posts.ts';
import { Keys, type StoredMedia } from './posts.ts';

/** The content of a file, determined by its first bytes. */
export interface MediaContent {
  readonly kind: StoredMedia['kind'];
  readonly contentType: string;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** What is in a file; undefined where it is nothing that a post can show. */
export function mediaContent(bytes: Buffer): MediaContent | undefined {
  const has = (text: string, at = 0): boolean => bytes.toString('latin1', at, at + text.length) === text;

  if (has('\x89PNG\r\n\x1a\n') && bytes.length >= 24) {
    return { kind: 'image', contentType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (has('GIF8') && bytes.length >= 10) {
    return { kind: 'gif', contentType: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  }
  if (has('\xff\xd8\xff')) return { kind: 'image', contentType: 'image/jpeg' };
  if (has('RIFF') && has('WEBP', 8)) return { kind: 'image', contentType: 'image/webp' };
  if (has('RIFF') && has('WAVE', 8)) return { kind: 'audio', contentType: 'audio/wav' };
  if (has('ftyp', 4)) return { kind: 'video', contentType: 'video/mp4' };
  if (has('\x1aE\xdf\xa3')) return { kind: 'video', contentType: 'video/webm' };
  if (has('OggS')) return { kind: 'audio', contentType: 'audio/ogg' };
  if (has('ID3') || has('\xff\xfb')) return { kind: 'audio', contentType: 'audio/mpeg' };
  return undefined;
}

const COLLECTION = 'social.uploads';
const CONTENTS = 'social.upload-contents';

const Upload = z.object({
  id: z.string(),
  ownerId: z.string(),
  kind: z.enum(['image', 'video', 'gif', 'audio']),
  contentType: z.string(),
  altText: z.string().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
  sizeBytes: z.number(),
  sha256: z.string(),
  /** From when on a post takes it. */
  readyAtMs: z.number(),
  /** Until when a post takes it. */
  expiresAtMs: z.number(),
  key: z.string().optional(),
});

/** A file that somebody brought to the platform. */
export interface Upload extends Readonly<z.output<typeof Upload>> {}

/** The files that were brought to the platform, with what is in them. */
export class Uploads {
  readonly #journal: Journal;
  readonly #byId = new Map<string, Upload>();
  readonly #keys = new Keys();
  #last = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const document of journal.all(COLLECTION)) this.#remember(Upload.parse(document));
  }

  find(id: string): Upload | undefined {
    return this.#byId.get(id);
  }

  /** The first one that its owner uploaded with this key. */
  findByKey(ownerId: string, key: string): Upload | undefined {
    const id = this.#keys.find(ownerId, key);
    return id === undefined ? undefined : this.#byId.get(id);
  }

  add(facts: Omit<Upload, 'id' | 'sizeBytes' | 'sha256'>, content: Buffer): Upload {
    const sha256 = createHash('sha256').update(content).digest('hex');
    const upload = { ...facts, id: `media-${this.#last + 1}`, sizeBytes: content.length, sha256 };
    this.#journal.put(CONTENTS, upload.id, content.toString('base64'));
    this.#journal.put(COLLECTION, upload.id, upload);
    this.#remember(upload);
    return upload;
  }

  /** What is in the file. */
  contentOf({ id }: Upload): Buffer<ArrayBuffer> {
    const content = this.#journal.get(CONTENTS, id);
    return Buffer.from(typeof content === 'string' ? content : '', 'base64');
  }

  #remember(upload: Upload): void {
    this.#byId.set(upload.id, upload);
    this.#keys.remember({ ownerId: upload.ownerId, key: upload.key, id: upload.id });
    this.#last = Math.max(this.#last, Number(upload.id.slice('media-'.length)));
  }
}

export interface MediaRoutesOptions {
  readonly uploads: Uploads;
  readonly generatedPosts: GeneratedPosts;
  readonly clock: Clock;
}

/** What is behind the addresses of pictures, videos and sounds: what was uploaded, and what people's pictures show. */
export function mediaRoutes({ uploads, generatedPosts, clock }: MediaRoutesOptions): Hono {
  const routes = new Hono();

  function pictureOf(id: string): StoredMedia | undefined {
    if (!id.startsWith(PICTURE_PREFIX)) return undefined;
    return generatedPosts.find(id.slice(PICTURE_PREFIX.length), clock.nowMs())?.media.find((media) => media.id === id);
  }

  routes.get('/media/:id', (c) => {
    const id = c.req.param('id');
    const upload = uploads.find(id);
    if (upload) return c.body(uploads.contentOf(upload), 200, headersOf(upload.contentType));
    const { altText: label = '', width = 0, height = 0 } = pictureOf(id) ?? {};
    if (width === 0) return c.notFound();
    return c.body(draw({ key: id, label, width, height }), 200, headersOf('image/svg+xml'));
  });

  return routes;
}

/** Browsers must not guess the type, because an upload is never a page. */
function headersOf(contentType: string): Record<string, string> {
  return { 'content-type': contentType, 'x-content-type-options': 'nosniff', 'cache-control': 'public, max-age=86400' };
}
