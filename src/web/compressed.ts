import type { MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { etag } from 'hono/etag';

/** Events are sent one by one, and programs choose themselves how they read the API. */
const compressing = compress({ encoding: 'gzip', contentTypeFilter: /^text\/(?:html|css|javascript)\b/u });
const tagging = etag();

/** Compresses pages, styles and scripts, and tells browsers if their copy of a style or a script is still current. */
export const compressed: MiddlewareHandler = (c, next) => {
  const tagged = async (): Promise<void> => {
    if (!/\.(?:css|js)$/u.test(c.req.path)) return next();
    const answer = await tagging(c, next);
    if (answer) c.res = answer;
  };
  // The length of a compressed page would tell another site, which chooses the search of its links, about the secrets of the page.
  if (c.req.header('Sec-Fetch-Site') === 'cross-site') return tagged();
  return compressing(c, tagged);
};
