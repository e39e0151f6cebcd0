import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { Journal } from '../journal.ts';
import { draw } from '../twitch/pictures.ts';
import { type GeneratedPosts, PICTURE_PREFIX } from './generated-posts.ts';
import { StoredMap } from '../stored-map.ts';
import { isAnimatedGif } from './animated-gif.ts';
import { byKey, numberIn, type StoredMedia } from './posts.ts';

/** The content of a file, determined by its first bytes. */
export interface MediaContent {
  readonly kind: StoredMedia['kind'];
  readonly contentType: string;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** The type of a file; undefined if a post cannot show it. */
export function mediaContent(bytes: Buffer): MediaContent | undefined {
  const has = (text: string, at = 0): boolean => bytes.toString('latin1', at, at + text.length) === text;

  if (has('\x89PNG\r\n\x1a\n') && bytes.length >= 24) {
    return { kind: 'image', contentType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (has('GIF8') && bytes.length >= 10) {
    const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
    return { kind: isAnimatedGif(bytes) ? 'gif' : 'image', contentType: 'image/gif', ...size };
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
  /** Posts can contain the file from this time on. */
  readyAtMs: z.number(),
  /** Posts can contain the file until this time. */
  expiresAtMs: z.number(),
  key: z.string().optional(),
});

/** An uploaded file. */
export interface Upload extends Readonly<z.output<typeof Upload>> {}

/** The uploaded files with their contents. */
export class Uploads {
  readonly #journal: Journal;
  readonly #stored: StoredMap<Upload>;
  /** The first file that an owner uploaded with a key. */
  readonly findByKey: (ownerId: string, key: string) => Upload | undefined;

  constructor(journal: Journal) {
    this.#journal = journal;
    this.#stored = new StoredMap({ journal, collection: 'social.uploads', schema: Upload, keyOf: ({ id }) => id });
    this.findByKey = byKey(this.#stored, ({ ownerId }) => ownerId);
  }

  find(id: string): Upload | undefined {
    return this.#stored.get(id);
  }

  add(facts: Omit<Upload, 'id' | 'sizeBytes' | 'sha256'>, content: Buffer): Upload {
    const id = `media-${this.#stored.nextNumber((upload) => numberIn(upload.id))}`;
    const sha256 = createHash('sha256').update(content).digest('hex');
    this.#journal.put(CONTENTS, id, content.toString('base64'));
    return this.#stored.put({ ...facts, id, sizeBytes: content.length, sha256 });
  }

  contentOf({ id }: Upload): Buffer<ArrayBuffer> {
    const content = this.#journal.get(CONTENTS, id);
    return Buffer.from(typeof content === 'string' ? content : '', 'base64');
  }
}

interface MediaRoutesOptions {
  readonly uploads: Uploads;
  readonly generatedPosts: GeneratedPosts;
  readonly clock: Clock;
}

/** `GET /media/<id>`: uploaded files, and the pictures of generated posts. */
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
