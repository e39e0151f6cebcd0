import { Hono } from 'hono';
import { drawGif } from './draw.ts';
import { findGif } from './gifs.ts';

/** `GET /gifs/<id>.gif` and `GET /gifs/<id>-still.gif`: the pictures of the GIFs. */
export function gifRoutes(): Hono {
  const routes = new Hono();
  routes.get('/gifs/:file', (c) => {
    const [, id = '', still] = /^(.+?)(-still)?\.gif$/.exec(c.req.param('file')) ?? [];
    if (!findGif(id)) return c.notFound();
    return c.body(drawGif(id, { still: still !== undefined }), 200, {
      'content-type': 'image/gif',
      'cache-control': 'public, max-age=86400',
    });
  });
  return routes;
}
