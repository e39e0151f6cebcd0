import { hash } from 'node:crypto';
import { Hono } from 'hono';
import type { PlatformServer, SandboxContext } from '../context.ts';
import { serve } from '../control/endpoint.ts';
import { StoredMap } from '../stored-map.ts';
import { Article, usualArticles } from './articles.ts';
import { publishArticle } from './control-endpoints.ts';
import { documentOf } from './documents.ts';

const NAME = 'feeds';
/** The number of articles in a document. */
const MOST = 30;

/** The feeds of all hosts below `.example`, at `/feeds/<host>/<path>`. */
export function feedServer({ clock, journal, world }: SandboxContext): PlatformServer {
  const ordered = new StoredMap({ journal, collection: 'feeds.articles', schema: Article, keyOf: ({ feed, id }) => `${feed} ${id}` });

  const routes = new Hono();
  routes.get('/:host/*', (c) => {
    const host = c.req.param('host');
    const articles = [...ordered.all().filter(({ feed }) => feed === host), ...usualArticles(host, world, clock.nowMs())]
      .toSorted((a, b) => b.publishedMs - a.publishedMs)
      .slice(0, MOST);
    const { contentType, body } = documentOf({ host, articles }, c.req.path);
    const etag = `"${hash('sha256', body, 'hex').slice(0, 16)}"`;
    const headers = { etag, 'content-type': contentType };
    return c.req.header('if-none-match') === etag ? c.body(null, 304, { etag }) : c.body(body, 200, headers);
  });

  const control = new Hono();
  serve(control, publishArticle, ({ body: { feed, id, title, text = '' } }) => {
    const nowMs = clock.nowMs();
    const number = ordered.size + 1;
    const known = id === undefined ? undefined : ordered.get(`${feed} ${id}`);
    const article = ordered.put({
      ...(known ?? { feed, id: id ?? `article-${number}`, url: `https://${feed}/articles/${number}`, author: 'Ada', category: 'News' }),
      title,
      text,
      publishedMs: known?.publishedMs ?? nowMs,
      ...(known && { updatedMs: nowMs }),
    });
    return { id: article.id };
  });

  return { name: NAME, routes, control, environment: () => ({}) };
}
