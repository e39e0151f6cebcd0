import { Hono } from 'hono';
import type { PlatformServer, SandboxContext } from '../context.ts';
import { serve } from '../control/endpoint.ts';
import { PointsBudget, Tokens, authorized, credentials, helixRefusal, oauthRoutes, rateHeaders } from './access.ts';
import { revokeTwitchTokens } from './control-endpoints.ts';
import { helixRoutes } from './helix/routes.ts';
import { pictureRoutes } from './pictures.ts';

const NAME = 'twitch';

/** Twitch: Helix, its authorization server and its pictures. */
export function twitchServer(context: SandboxContext): PlatformServer {
  const { clock, journal, world, url } = context;
  const tokens = new Tokens({ journal, clock, collection: 'twitch.tokens' });

  const helix = new Hono();
  helix.use(authorized({ tokens, budget: new PointsBudget(clock) }));
  helix.route('/', helixRoutes(NAME, context));
  const oauth = oauthRoutes(tokens);

  const routes = new Hono();
  routes.route('/helix', helix);
  routes.route('/oauth2', oauth);
  routes.route('/pictures', pictureRoutes(world));

  const control = new Hono();
  serve(control, revokeTwitchTokens, ({ body: { token } }) => ({
    revoked: token === undefined ? tokens.revokeAll() : Number(tokens.revoke(token)),
  }));

  return {
    name: NAME,
    routes,
    // @twurple/api uses these paths if TWURPLE_MOCK_API_PORT is set.
    aliases: { mock: helix, auth: oauth },
    control,

    refuse(status, retryAfterMs = 1000) {
      const refusal = helixRefusal(status, 'The sandbox refuses the request, as ordered');
      if (status !== 429) return refusal;
      for (const [name, value] of Object.entries(rateHeaders(0, clock.nowMs() + retryAfterMs))) refusal.headers.set(name, value);
      return refusal;
    },

    environment: () => ({
      TWITCH_CLIENT_ID: credentials.clientId,
      TWITCH_CLIENT_SECRET: credentials.clientSecret,
      TWITCH_API_URL: `${url()}/${NAME}/helix`,
      TWITCH_AUTH_URL: `${url()}/${NAME}/oauth2`,
    }),
  };
}
