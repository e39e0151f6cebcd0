import { Hono } from 'hono';
import type { PlatformServer, SandboxContext } from '../context.ts';
import { serve } from '../control/endpoint.ts';
import { Tokens } from '../twitch/access.ts';
import { pictureAddresses, pictureRoutes } from '../twitch/pictures.ts';
import { kickWorld } from './channels.ts';
import { revokeKickTokens } from './control-endpoints.ts';
import { type KickPage, type KickRequest, apiRefusal, credentials, oauthRoutes } from './request.ts';
import { getCategories, getChannels, getLivestreams, getUsers } from './endpoints.ts';
import { Refusal } from '../refusal.ts';

const NAME = 'kick';

const endpoints: Readonly<Record<string, (request: KickRequest) => KickPage>> = {
  '/v1/channels': getChannels,
  '/v1/users': getUsers,
  '/v2/livestreams': getLivestreams,
  '/v2/categories': getCategories,
};

/** Kick: its public API and its authorization server. */
export function kickServer({ clock, faults, journal, world, url }: SandboxContext): PlatformServer {
  const tokens = new Tokens({ journal, clock, collection: 'kick.tokens' });
  const kick = kickWorld(world);

  const api = new Hono();
  api.use(async (c, next) => {
    const [, value = ''] = /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
    if (!tokens.find(value)) return apiRefusal(401, 'Unauthorized');
    return next();
  });
  for (const [path, answer] of Object.entries(endpoints)) {
    api.get(path, (c) => {
      const fault: KickRequest['fault'] = (kind) => faults.take(kind, { platform: NAME, method: 'GET', path: c.req.path });
      const lateMs = fault('delayedVisibility')?.ms ?? 0;
      const query = new URL(c.req.url).searchParams;
      const pictures = pictureAddresses(`${url()}/${NAME}/pictures`);
      return c.json({ message: 'OK', ...answer({ world: kick, query, nowMs: clock.nowMs() - lateMs, pictures, fault }) });
    });
  }
  api.all('*', () => apiRefusal(404, 'Not Found'));
  api.onError((error) => {
    if (error instanceof Refusal) return apiRefusal(error.status, error.message);
    throw error;
  });

  const routes = new Hono();
  routes.route('/public', api);
  routes.route('/oauth', oauthRoutes(tokens));
  routes.route('/pictures', pictureRoutes(world));

  const control = new Hono();
  serve(control, revokeKickTokens, () => ({ revoked: tokens.revokeAll() }));

  return {
    name: NAME,
    routes,
    control,
    refuse: (status, retryAfterMs) =>
      apiRefusal(
        status,
        'The sandbox refuses the request, as ordered',
        retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) },
      ),
    environment: () => ({
      KICK_CLIENT_ID: credentials.clientId,
      KICK_CLIENT_SECRET: credentials.clientSecret,
      KICK_API_URL: `${url()}/${NAME}`,
      KICK_AUTH_URL: `${url()}/${NAME}`,
    }),
  };
}
