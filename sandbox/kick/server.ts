import { Hono } from 'hono';
import type { PlatformServer, SandboxContext } from '../context.ts';
import { serve } from '../control/endpoint.ts';
import { Tokens } from '../twitch/access.ts';
import { pictureAddresses, pictureRoutes } from '../twitch/pictures.ts';
import { kickWorld } from './channels.ts';
import { changeKickEvents, kickEvents, revokeKickTokens } from './control-endpoints.ts';
import { type KickPage, type KickRequest, apiRefusal, credentials, invalid, numbersOf, oauthRoutes } from './request.ts';
import { getCategories, getChannels, getLivestreams, getUsers } from './endpoints.ts';
import type { KickEvents } from './events/kick-events.ts';
import { isAllowedReceiver } from '../notifications/send-to.ts';
import { OrderError } from '../control/order-error.ts';
import { Refusal } from '../refusal.ts';
import { type OpenCollection, StoredMap } from '../stored-map.ts';

const NAME = 'kick';
const SUBSCRIPTIONS = '/v1/events/subscriptions';

const endpoints: Readonly<Record<string, (request: KickRequest) => KickPage>> = {
  '/v1/channels': getChannels,
  '/v1/users': getUsers,
  '/v2/livestreams': getLivestreams,
  '/v2/categories': getCategories,
};

/** Kick: its public API and its authorization server. */
export function kickServer(context: SandboxContext): PlatformServer {
  const { clock, faults, journal, world, url } = context;
  const tokens = new Tokens({ journal, clock, collection: 'kick.tokens' });
  const kick = kickWorld(world);
  const collection: OpenCollection = (options) => new StoredMap({ journal, ...options });
  let opened: Promise<KickEvents> | undefined;
  /** Events load when they are first used. */
  const events = (): Promise<KickEvents> =>
    (opened ??= import('./events/kick-events.ts').then((loaded) => new loaded.KickEvents({ context, world: kick, collection })));
  // The webhook of an earlier run receives events without a request.
  if (journal.all('kick.subscriptions').length > 0) void events();

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
  api.get(SUBSCRIPTIONS, async (c) => {
    const [userId] = numbersOf(new URL(c.req.url).searchParams, 'broadcaster_user_id', 1);
    return c.json({ message: 'OK', data: (await events()).list(userId) });
  });
  api.post(SUBSCRIPTIONS, async (c) => {
    const body: unknown = await c.req.json().catch(() => undefined);
    const created = (await events()).subscribe(body);
    if (!created) throw invalid();
    return c.json({ message: 'OK', data: created });
  });
  api.delete(SUBSCRIPTIONS, async (c) => {
    (await events()).unsubscribe(new URL(c.req.url).searchParams.getAll('id'));
    return c.body(null, 204);
  });
  api.all('*', () => apiRefusal(404, 'Not Found'));
  api.onError((error) => {
    if (error instanceof Refusal) return apiRefusal(error.status, error.message);
    throw error;
  });

  const routes = new Hono();
  // Anyone may read the key.
  routes.get('/public/v1/public-key', async (c) => c.json({ message: 'OK', data: { public_key: (await events()).publicKey } }));
  routes.route('/public', api);
  routes.route('/oauth', oauthRoutes(tokens));
  routes.route('/pictures', pictureRoutes(world));

  const control = new Hono();
  serve(control, revokeKickTokens, () => ({ revoked: tokens.revokeAll() }));

  serve(control, kickEvents, async () => (await events()).describe());
  serve(control, changeKickEvents, async ({ body }) => {
    const loaded = await events();
    switch (body.do) {
      case 'setWebhook':
        if (body.url !== '' && !isAllowedReceiver(body.url)) throw new OrderError('the webhook must be an address of this machine');
        loaded.setWebhook(body.url);
        return { changed: 1 };
      case 'endSubscriptions':
        return { changed: loaded.endAll() };
      case 'changeKey':
        loaded.changeKey();
        return { changed: 1 };
    }
  });

  return {
    name: NAME,
    routes,
    control,
    close: async () => (await opened)?.close(),
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
