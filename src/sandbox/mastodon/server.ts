import { Hono } from 'hono';
import type { PlatformServer, SandboxContext } from '../context.ts';
import { mediaRoutes as mediaContents } from '../social/media-routes.ts';
import { pictureRoutes } from '../twitch/pictures/routes.ts';
import { Codes } from './access/codes.ts';
import { oauthMetadata } from './access/metadata.ts';
import { oauthRoutes } from './access/oauth.ts';
import { SELF_TOKEN } from './access/tokens.ts';
import { mastodonControl } from './control.ts';
import { groundOf, NAME } from './ground.ts';
import { limitHeaders } from './limits/limits.ts';
import { mastodonPages } from './pages.ts';
import { accountRoutes } from './routes/accounts/accounts.ts';
import { listRoutes } from './routes/accounts/lists.ts';
import { relationshipRoutes } from './routes/accounts/relationships.ts';
import { apiWith, nowhere } from './routes/api.ts';
import { serverRoutes } from './routes/server/server.ts';
import { changingRoutes } from './routes/statuses/changing.ts';
import { creatingRoutes } from './routes/statuses/creating.ts';
import { mediaRoutes } from './routes/statuses/media.ts';
import { pollRoutes } from './routes/statuses/polls.ts';
import { reactingRoutes } from './routes/statuses/reacting.ts';
import { readingRoutes } from './routes/statuses/reading.ts';
import { translatingRoutes } from './routes/statuses/translating.ts';
import { conversationRoutes } from './routes/timelines/conversations.ts';
import { groupedNotificationRoutes } from './routes/timelines/grouped-notifications.ts';
import { notificationRoutes } from './routes/timelines/notifications.ts';
import { searchRoutes } from './routes/timelines/search.ts';
import { timelineRoutes } from './routes/timelines/timelines.ts';
import { trendRoutes } from './routes/timelines/trends.ts';

/** Routes with a name in their path stand before those with an id there. */
const topics = [
  serverRoutes,
  relationshipRoutes,
  accountRoutes,
  listRoutes,
  creatingRoutes,
  changingRoutes,
  readingRoutes,
  reactingRoutes,
  translatingRoutes,
  pollRoutes,
  mediaRoutes,
  timelineRoutes,
  notificationRoutes,
  groupedNotificationRoutes,
  conversationRoutes,
  trendRoutes,
  searchRoutes,
];

const USUAL_LIMIT = 300;
/** What stands before the server itself answers in HTML. */
const BY_THE_PROXY = new Set([502, 504]);

/** A Mastodon server: its client API, its authorization server, and its pages. */
export function mastodonServer(context: SandboxContext): PlatformServer {
  const { clock, world } = context;
  const ground = groundOf(context);
  const api = apiWith(ground, topics);
  const oauth = oauthRoutes({
    apps: ground.apps,
    tokens: ground.tokens,
    codes: new Codes(clock),
    people: ground.stage.people,
    knowsPkce: () => ground.settings.features.hasOauthMetadata,
  });

  const routes = new Hono();
  routes.route('/api', api);
  routes.route('/oauth', oauth);
  routes.get('/.well-known/oauth-authorization-server', (c) =>
    ground.settings.features.hasOauthMetadata ? c.json(oauthMetadata(ground.home)) : nowhere(ground),
  );
  routes.route('/pictures', pictureRoutes(world));
  routes.route('/', mediaContents({ uploads: ground.stage.uploads, chatter: ground.stage.chatter, clock }));
  routes.route('/', mastodonPages(ground));

  return {
    name: NAME,
    routes,
    // Clients that others wrote know no Mastodon below a path.
    aliases: { api, oauth },
    control: mastodonControl(ground),
    isOnRequest: true,
    refuse(status, retryAfterMs = 0) {
      if (BY_THE_PROXY.has(status)) {
        const page = `<html><head><title>${status}</title></head><body><center><h1>${status}</h1></center><hr><center>nginx</center></body></html>`;
        return new Response(page, { status, headers: { 'content-type': 'text/html' } });
      }
      const resetAt = new Date(clock.nowMs() + retryAfterMs);
      const headers = status === 429 ? limitHeaders({ limit: USUAL_LIMIT, remaining: 0, resetAt }) : {};
      return Response.json(
        { error: status === 429 ? 'Too many requests' : `The sandbox was told to answer ${status}` },
        { status, headers },
      );
    },
    environment: () => ({ MASTODON_URL: ground.home, MASTODON_TOKEN: SELF_TOKEN }),
  };
}
