import { Hono } from 'hono';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Journal } from '../journal.ts';
import type { SocialCore } from '../social/core.ts';
import type { StoredMedia } from '../social/posts.ts';
import { StoredMap } from '../stored-map.ts';
import { draw } from '../twitch/pictures.ts';
import type { Directory } from './accounts.ts';
import { cidOf } from './encoding.ts';
import { blobJson, type Records } from './records.ts';
import { XrpcRefusal } from './refusal.ts';

const CONTENTS = 'blob-contents';
/** The server deletes a file that no record contains after this time. */
const UNREFERENCED_MS = 3_600_000;
const PICTURE_TYPE = 'image/svg+xml';
const AVATAR_SIZE = 400;
/** The content id in the addresses of avatars, which the sandbox draws. */
export const DRAWN = 'drawn';

const Blob = z.object({ did: z.string(), cid: z.string(), mimeType: z.string(), size: z.number(), uploadedAtMs: z.number() });
type Blob = Readonly<z.output<typeof Blob>>;

/** The uploaded files. The same content is the same file. */
export class Blobs {
  readonly #journal: Journal;
  readonly #records: Records;
  readonly #blobs: StoredMap<Blob>;

  constructor(journal: Journal, records: Records) {
    this.#journal = journal;
    this.#records = records;
    this.#blobs = new StoredMap({ journal, collection: 'blobs', schema: Blob, keyOf });
  }

  add(content: Buffer, facts: Omit<Blob, 'cid' | 'size'>): Blob {
    const blob = { ...facts, cid: cidOf('blob', content), size: content.length };
    this.#journal.put(CONTENTS, keyOf(blob), content.toString('base64'));
    return this.#blobs.put(blob);
  }

  find(did: string, cid: string, nowMs: number): Blob | undefined {
    const blob = this.#blobs.get(keyOf({ did, cid }));
    return blob && (nowMs < blob.uploadedAtMs + UNREFERENCED_MS || this.#records.refersTo(cid)) ? blob : undefined;
  }

  contentOf(blob: Blob): Buffer<ArrayBuffer> {
    const content = this.#journal.get(CONTENTS, keyOf(blob));
    return Buffer.from(typeof content === 'string' ? content : '', 'base64');
  }
}

function keyOf({ did, cid }: Pick<Blob, 'did' | 'cid'>): string {
  return `${did} ${cid}`;
}

/** The embed of the pictures that people post without the API. */
export function picturesEmbed(media: readonly StoredMedia[]): JsonObject {
  const images = media.map((picture) => {
    const { altText: alt = '', width = 1, height = 1 } = picture;
    const content = pictureContent(picture);
    const image = blobJson({ cid: cidOf('blob', content), mimeType: PICTURE_TYPE, size: content.length });
    return { image, alt, aspectRatio: { width, height } };
  });
  return { $type: 'app.bsky.embed.images', images };
}

function pictureContent({ id, altText: label = '', width = 0, height = 0 }: StoredMedia): Buffer<ArrayBuffer> {
  return Buffer.from(draw({ key: id, label, width, height }));
}

/** Pictures as posts and profiles show them, and `com.atproto.sync.getBlob`: an uploaded file. */
export function fileRoutes(
  blobs: Blobs,
  core: SocialCore,
  clock: Clock,
  directory: Directory,
): { readonly pictures: Hono; readonly blob: Hono } {
  function find(did: string, cid: string): Response | undefined {
    const nowMs = clock.nowMs();
    const blob = blobs.find(did, cid, nowMs);
    if (blob) return file(blobs.contentOf(blob), blob.mimeType);
    const person = directory.find(did);
    if (person && cid === DRAWN) {
      const size = { width: AVATAR_SIZE, height: AVATAR_SIZE };
      return file(Buffer.from(draw({ key: `avatar ${person.id}`, label: person.displayName.charAt(0), ...size })), PICTURE_TYPE);
    }
    const posts = core.generatedPosts.at(nowMs).filter(({ authorId }) => authorId === person?.id);
    const content = posts.flatMap(({ media }) => media.map(pictureContent)).find((each) => cidOf('blob', each) === cid);
    return content && file(content, PICTURE_TYPE);
  }

  const pictures = new Hono().get('/:kind/plain/:did/:cid', (c) => {
    const { did, cid } = c.req.param();
    return find(did, cid.replace(/@.*$/, '')) ?? new Response('Not found', { status: 404 });
  });
  const blob = new Hono().get('/com.atproto.sync.getBlob', (c) => {
    const { did = '', cid = '' } = c.req.query();
    return find(did, cid) ?? new XrpcRefusal(400, 'BlobNotFound', 'Blob not found').toResponse();
  });
  return { pictures, blob };
}

/** Browsers must not guess the type, because an upload is never a page. */
function file(content: Buffer<ArrayBuffer>, type: string): Response {
  const headers = { 'content-type': type, 'x-content-type-options': 'nosniff', 'content-security-policy': "default-src 'none'; sandbox" };
  return new Response(content, { headers });
}
