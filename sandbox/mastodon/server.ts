import { Hono } from 'hono';
import type { PlatformServer, SandboxContext } from '../context.ts';
import { mediaRoutes as mediaContents } from '../social/media.ts';
import { pictureRoutes } from '../twitch/pictures.ts';
import { accountRoutes } from './account-routes.ts';
import { mastodonControl } from './control.ts';
import { inboxRoutes } from './inbox-routes.ts';
import { instanceRoutes } from './instance-routes.ts';
import { listRoutes } from './list-routes.ts';
import { mediaRoutes } from './media-routes.ts';
import { oauthRoutes, SELF_TOKEN } from './oauth.ts';
import { rateHeaders } from './rate-limit.ts';
import { reactionRoutes } from './reaction-routes.ts';
import { apiWith } from './request.ts';
import { searchRoutes } from './search.ts';
import { createState, NAME } from './state.ts';
import { statusRoutes } from './status-routes.ts';
import { Streaming } from './streaming/streaming.ts';
import { timelineRoutes } from './timeline-routes.ts';

const topics = [
  instanceRoutes,
  accountRoutes,
  listRoutes,
  statusRoutes,
  reactionRoutes,
  mediaRoutes,
  timelineRoutes,
  inboxRoutes,
  searchRoutes,
];

/** A Mastodon server with its client API and its authorization server. */
export function mastodonServer(context: SandboxContext): PlatformServer {
  const { clock, world } = context;
  const state = createState(context);
  const streaming = new Streaming(state, context);
  const api = new Hono();
  api.use(async (c, next) => {
    await next();
    if (c.req.method !== 'GET') streaming.look();
  });
  api.route('/', apiWith(state, topics));
  const oauth = oauthRoutes(state.oauth, state.core.people);

  const routes = new Hono();
  routes.route('/api', api);
  routes.route('/oauth', oauth);
  routes.route('/pictures', pictureRoutes(world));
  routes.route('/', mediaContents({ uploads: state.core.uploads, generatedPosts: state.core.generatedPosts, clock }));

  return {
    name: NAME,
    routes,
    // Other clients do not support a server below a path.
    aliases: { api, oauth },
    control: mastodonControl(state, streaming),
    isOnRequest: true,
    upgrade: (request, socket, head) => streaming.upgrade(request, socket, head),
    close: () => streaming.close(),
    refuse(status, retryAfterMs = 0) {
      // A proxy in front of Mastodon answers these in HTML.
      if (status === 502 || status === 504) {
        return new Response(`<html><h1>${status}</h1>nginx</html>`, { status, headers: { 'content-type': 'text/html' } });
      }
      const resetAt = new Date(clock.nowMs() + retryAfterMs);
      const headers = status === 429 ? rateHeaders({ limit: 300, remaining: 0, resetAt }) : {};
      return Response.json({ error: status === 429 ? 'Too many requests' : `The sandbox answers ${status}` }, { status, headers });
    },
    environment: () => ({ MASTODON_URL: state.home, MASTODON_TOKEN: SELF_TOKEN }),
  };
}
