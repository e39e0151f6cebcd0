import { hash } from 'node:crypto';
import { Hono } from 'hono';
import type { PlatformServer, SandboxContext } from '../context.ts';
import { serve } from '../control/endpoint.ts';
import { type OpenCollection, StoredMap } from '../stored-map.ts';
import type { Hub } from '../websub/hub.ts';
import { Article, EVERY_MS, usualArticles } from './articles.ts';
import { feedHub, publishArticle } from './control-endpoints.ts';
import { documentOf } from './documents.ts';

const NAME = 'feeds';
/** The number of articles in a document. */
const MOST = 30;

/** The feeds of all hosts below `.example`, at `/feeds/<host>/<path>`, and the hub that notifies about them. */
export function feedServer(context: SandboxContext): PlatformServer {
  const { clock, journal, world, url } = context;
  const ordered = new StoredMap({ journal, collection: 'feeds.articles', schema: Article, keyOf: ({ feed, id }) => `${feed} ${id}` });
  const collection: OpenCollection = (options) => new StoredMap({ journal, ...options });
  let opened: Promise<Hub> | undefined;
  let following: AbortController | undefined;
  /** The hub loads when it is first used. */
  const hub = (): Promise<Hub> =>
    (opened ??= import('../websub/hub.ts').then((loaded) => new loaded.Hub({ platform: NAME, context, collection, onUse: follow })));
  // The subscribers of an earlier run are notified without a request.
  if (journal.all(`${NAME}.subscriptions`).length > 0) void hub();

  function documentAt(host: string, path: string): ReturnType<typeof documentOf> {
    const articles = [...ordered.all().filter(({ feed }) => feed === host), ...usualArticles(host, world, clock.nowMs())]
      .toSorted((a, b) => b.publishedMs - a.publishedMs)
      .slice(0, MOST);
    return documentOf({ host, hub: `${url()}/${NAME}/hub`, articles }, path);
  }

  /** Notifies about the feeds of a host; absent: about all. */
  function publish(loaded: Hub, host?: string): void {
    for (const topic of loaded.topics) {
      const { hostname, pathname } = new URL(topic);
      if (host === undefined || hostname === host) loaded.publish(topic, documentAt(hostname, pathname));
    }
  }

  /** Each feed has a new article every ten minutes. */
  function follow(isUsed: boolean): void {
    if (isUsed === (following !== undefined)) return;
    following?.abort();
    following = isUsed ? new AbortController() : undefined;
    if (following) publishUsual(following.signal).catch(() => undefined);
  }

  async function publishUsual(signal: AbortSignal): Promise<void> {
    for (;;) {
      await clock.sleep(EVERY_MS - (clock.nowMs() % EVERY_MS), signal);
      publish(await hub());
    }
  }

  const routes = new Hono();
  routes.post('/hub', async (c) => (await hub()).order(c));
  routes.get('/:host/*', (c) => {
    const host = c.req.param('host');
    const { contentType, body } = documentAt(host, c.req.path.slice(`/${NAME}/${host}`.length));
    const etag = `"${hash('sha256', body, 'hex').slice(0, 16)}"`;
    const headers = { etag, 'content-type': contentType };
    return c.req.header('if-none-match') === etag ? c.body(null, 304, { etag }) : c.body(body, 200, headers);
  });

  const control = new Hono();
  serve(control, publishArticle, async ({ body: { feed, id, title, text = '' } }) => {
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
    if (opened) publish(await opened, feed);
    return { id: article.id };
  });
  serve(control, feedHub.read, async () => (await hub()).describe());
  serve(control, feedHub.change, async ({ body: { deny } }) => {
    (await hub()).deny(deny);
    return { denied: deny };
  });

  return {
    name: NAME,
    routes,
    control,
    environment: () => ({}),
    async close() {
      following?.abort();
      (await opened)?.close();
    },
  };
}
