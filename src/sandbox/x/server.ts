import { Hono } from 'hono';
import type { PlatformServer, SandboxContext } from '../context.ts';
import { scopedJournal } from '../scoped-journal.ts';
import { mediaRoutes } from '../social/media-routes.ts';
import { socialPages } from '../social/pages.ts';
import { socialStage } from '../social/stage.ts';
import { pictureRoutes } from '../twitch/pictures/routes.ts';
import { SELF_TOKEN } from './access/accounts.ts';
import { appTokenRoutes } from './access/app-token.ts';
import { authorization } from './access/authorization.ts';
import { authorizeRoutes } from './access/authorize.ts';
import { credentials } from './access/credentials.ts';
import { Grants } from './access/grants.ts';
import { oauth2Routes } from './access/oauth2.ts';
import { xApi } from './api.ts';
import { xControl } from './control.ts';
import { Windows } from './limits/windows.ts';
import { XMedia } from './media/media.ts';
import { Mutes } from './mutes.ts';
import { newSettings } from './settings.ts';

const NAME = 'x';

/** X: its API v2, its ways of signing in, and pages that show what was written to it. */
export function xServer(given: SandboxContext): PlatformServer {
  const context = { ...given, journal: scopedJournal(given.journal, NAME) };
  const { clock, journal, world, url } = context;
  const stage = socialStage({ name: NAME, context });
  const { people, chatter, uploads } = stage;
  const grants = new Grants(journal, clock);
  const settings = newSettings();
  const windows = new Windows(clock);
  const callerOf = authorization({ grants, people, clock, isRevoked: (token) => settings.revoked.has(token) });

  const second = new Hono();
  second.route('/oauth2', oauth2Routes(grants));
  second.route('/', xApi({ stage, media: new XMedia(journal, uploads), mutes: new Mutes(journal), settings, windows, callerOf }));

  const routes = new Hono();
  routes.route('/2', second);
  routes.route('/oauth2', appTokenRoutes());
  routes.route('/i/oauth2', authorizeRoutes(grants));
  routes.route('/pictures', pictureRoutes(world));
  routes.route('/', mediaRoutes({ uploads, chatter, clock }));
  routes.route(
    '/',
    socialPages(() => stage.momentFor()),
  );

  const control = new Hono();
  control.route('/x', xControl({ stage, grants, settings, windows }));

  return {
    name: NAME,
    routes,
    aliases: { '2': second },
    control,
    isOnRequest: true,

    refuse(status, retryAfterMs) {
      const resetAtMs = clock.nowMs() + (retryAfterMs ?? 0);
      const limits = {
        'x-rate-limit-limit': '900',
        'x-rate-limit-remaining': '0',
        'x-rate-limit-reset': String(Math.ceil(resetAtMs / 1000)),
      };
      const title = status === 429 ? 'Too Many Requests' : 'The sandbox was told to refuse this';
      return Response.json(
        { title, type: 'about:blank', status, detail: title },
        { status, headers: status === 429 && retryAfterMs !== undefined ? limits : {} },
      );
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
