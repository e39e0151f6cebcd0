import { Hono } from 'hono';
import { draw } from '../twitch/pictures.ts';
import { PICTURE_TYPE, pictureContent } from './blobs.ts';
import { cidOf } from './encoding.ts';
import type { Bluesky } from './core.ts';

const AVATAR_SIZE = 400;

interface File {
  readonly content: Buffer<ArrayBuffer>;
  readonly type: string;
}

/** What is behind the addresses of pictures and videos, and the blobs themselves. */
export class Files {
  readonly #bluesky: Bluesky;

  constructor(bluesky: Bluesky) {
    this.#bluesky = bluesky;
  }

  /** A blob of somebody: one that was uploaded, or a picture that people of the world posted by themselves. */
  find(did: string, cid: string): File | undefined {
    const { blobs, directory, core, context } = this.#bluesky;
    const blob = blobs.find({ did, cid }, context.clock.nowMs());
    if (blob) return { content: blobs.contentOf(blob), type: blob.mimeType };
    const person = directory.find(did);
    const posts = core.generatedPosts.at(context.clock.nowMs()).filter(({ authorId }) => authorId === person?.id);
    const contents = posts.flatMap(({ media }) => media.map(pictureContent));
    const content = contents.find((one) => cidOf('blob', one) === cid);
    return content && { content, type: PICTURE_TYPE };
  }

  avatar(did: string, cid: string): File | undefined {
    const person = this.#bluesky.directory.find(did);
    if (cid !== 'drawn' || !person) return this.find(did, cid);
    const label = person.displayName.charAt(0);
    return {
      content: Buffer.from(draw({ key: `avatar ${person.id}`, label, width: AVATAR_SIZE, height: AVATAR_SIZE })),
      type: PICTURE_TYPE,
    };
  }
}

/** Pictures and videos as posts and profiles show them. */
export function fileRoutes(files: Files): Hono {
  const routes = new Hono();

  routes.get('/img/:kind/plain/:did/:cid', (c) => {
    const { did, cid: named } = c.req.param();
    const [cid = ''] = named.split('@');
    return served(files.avatar(did, cid));
  });

  return routes;
}

/** `com.atproto.sync.getBlob`: a file as it was uploaded. */
export function blobRoutes(files: Files): Hono {
  const routes = new Hono();
  routes.get('/com.atproto.sync.getBlob', (c) => {
    const { did = '', cid = '' } = c.req.query();
    const file = files.find(did, cid);
    return file ? served(file) : c.json({ error: 'BlobNotFound', message: 'Blob not found' }, 400);
  });
  return routes;
}

/** Browsers must not guess the type, because an upload is never a page. */
function served(file: File | undefined): Response {
  if (!file) return new Response('Not found', { status: 404 });
  const headers = {
    'content-type': file.type,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  };
  return new Response(file.content, { headers });
}
