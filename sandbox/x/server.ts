import { Hono } from 'hono';
import type { PlatformServer, SandboxContext } from '../context.ts';
import { scopedJournal } from '../journal.ts';
import { createSocialCore } from '../social/core.ts';
import { mediaRoutes } from '../social/media.ts';
import { pictureRoutes } from '../twitch/pictures.ts';
import { xApi } from './api.ts';
import { authorization, SELF_TOKEN } from './authorization.ts';
import { credentials } from './ids.ts';
import { xControl } from './control.ts';
import { XMedia } from './media.ts';
import { appTokenRoutes, authorizeRoutes, Grants, tokenRoutes } from './oauth2.ts';
import { rateHeaders, RateLimits } from './rate-limits.ts';
import { newSettings } from './settings.ts';
import { FilteredStream } from './stream.ts';

const NAME = 'x';

/** X: its API v2 and its authorization server. */
export function xServer(sandbox: SandboxContext): PlatformServer {
  const context = { ...sandbox, journal: scopedJournal(sandbox.journal, NAME) };
  const { clock, journal, world, url } = context;
  const core = createSocialCore({ name: NAME, context });
  const { people, generatedPosts, uploads } = core;
  const grants = new Grants(journal, clock);
  const settings = newSettings();
  const rateLimits = new RateLimits(clock);
  const callerOf = authorization({ grants, people, clock, isRevoked: (token) => settings.revoked.has(token) });

  const media = new XMedia(journal, uploads);
  const stream = new FilteredStream({ context, core, media, settings, callerOf });

  const second = new Hono();
  second.use(async (c, next) => {
    await next();
    if (c.req.method !== 'GET') stream.look();
  });
  second.route('/tweets/search/stream', stream.routes());
  second.route('/oauth2', tokenRoutes(grants));
  second.route('/', xApi({ core, media, settings, rateLimits, callerOf }));

  const routes = new Hono();
  routes.route('/2', second);
  routes.route('/oauth2', appTokenRoutes());
  routes.route('/i/oauth2', authorizeRoutes(grants));
  routes.route('/pictures', pictureRoutes(world));
  routes.route('/', mediaRoutes({ uploads, generatedPosts, clock }));

  return {
    name: NAME,
    routes,
    aliases: { '2': second },
    control: xControl({ core, grants, settings, rateLimits, stream }),
    isOnRequest: true,
    close: () => stream.close(),

    refuse(status, retryAfterMs) {
      const title = status === 429 ? 'Too Many Requests' : 'The sandbox refuses the request, as ordered';
      const isLimit = status === 429 && retryAfterMs !== undefined;
      const headers = isLimit ? rateHeaders({ limit: 900, remaining: 0, resetAtMs: clock.nowMs() + retryAfterMs }) : {};
      return Response.json({ title, type: 'about:blank', status, detail: title }, { status, headers });
    },

    environment: () => ({
      X_API_URL: `${url()}/${NAME}`,
      X_CLIENT_ID: credentials.clientId,
      X_CLIENT_SECRET: credentials.clientSecret,
      X_BEARER_TOKEN: credentials.bearerToken,
      X_API_KEY: credentials.apiKey,
      X_API_SECRET: credentials.apiSecret,
      X_ACCESS_TOKEN: SELF_TOKEN,
      X_ACCESS_SECRET: credentials.accessSecret,
    }),
  };
}
