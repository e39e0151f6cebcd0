import { Hono } from 'hono';
import type { Clock } from '#src/clock.ts';
import { draw } from '../twitch/pictures/draw.ts';
import { PICTURE_PREFIX, type Chatter } from './chatter.ts';
import type { StoredMedia } from './posts.ts';
import type { Uploads } from './uploads.ts';

export interface MediaRoutesOptions {
  readonly uploads: Uploads;
  readonly chatter: Chatter;
  readonly clock: Clock;
}

/** What is behind the addresses of pictures, videos and sounds: what was uploaded, and what people's pictures show. */
export function mediaRoutes({ uploads, chatter, clock }: MediaRoutesOptions): Hono {
  const routes = new Hono();

  function pictureOf(id: string): StoredMedia | undefined {
    if (!id.startsWith(PICTURE_PREFIX)) return undefined;
    return chatter.find(id.slice(PICTURE_PREFIX.length), clock.nowMs())?.media.find((media) => media.id === id);
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

/** No browser may guess what it is: what somebody uploads is never a page. */
function headersOf(contentType: string): Record<string, string> {
  return { 'content-type': contentType, 'x-content-type-options': 'nosniff', 'cache-control': 'public, max-age=86400' };
}
