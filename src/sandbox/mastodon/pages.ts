import { Hono } from 'hono';
import { socialPages } from '../social/pages.ts';
import { nameOfStatus } from './posts/finding.ts';
import type { Ground } from './ground.ts';
import { fieldsOf } from './requests/fields.ts';
import { settle } from './settling.ts';
import { visit, type Visit } from './visit.ts';

/** The server as a person without an account sees it: the latest posts, one post with its replies, one account. */
export function mastodonPages(ground: Ground): Hono {
  const pages = new Hono();

  async function lookIn(request: Request): Promise<Visit> {
    settle(ground);
    const fields = await fieldsOf(request);
    return visit({ ground, token: undefined, fields, limits: [], locale: 'en', url: new URL(request.url), method: 'GET' });
  }

  pages.get('/:handle{@[^/]+}/:id', async (c) => {
    const name = nameOfStatus(c.req.param('id'), await lookIn(c.req.raw));
    return name === undefined ? c.notFound() : c.redirect(`../posts/${name}`, 302);
  });
  // Named one by one: what is asked for elsewhere is not counted as a page.
  pages.on('GET', ['/', '/posts/:id', '/:handle{@[^/]+}'], async (c) => {
    const { moment } = await lookIn(c.req.raw);
    return socialPages(() => moment).fetch(new Request(new URL(c.req.path.slice('/mastodon'.length) || '/', c.req.url)));
  });
  return pages;
}
