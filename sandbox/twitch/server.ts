import { Hono } from 'hono';
import type { Clock } from '#src/clock.ts';
import type { PlatformServer, SandboxContext } from '../context.ts';
import { serve } from '../control/endpoint.ts';
import { requireGame, requirePerson } from '../control/named.ts';
import { OrderError } from '../control/order-error.ts';
import { StoredMap, type OpenCollection } from '../stored-map.ts';
import { PointsBudget, Tokens, authorized, credentials, helixRefusal, oauthRoutes, rateHeaders } from './access.ts';
import {
  activateTwitch,
  disturbTwitchEventSub,
  dropTwitchChat,
  followOnTwitch,
  planStreams,
  raidOnTwitch,
  revokeTwitchTokens,
  twitchChat,
  twitchEventSub,
} from './control-endpoints.ts';
import { Chats } from './chat.ts';
import { DeviceCodes } from './device-codes.ts';
import type { EventSub } from './eventsub/eventsub.ts';
import { Follows } from './follows.ts';
import { helixRoutes } from './helix/routes.ts';
import { Schedules } from './helix/schedule.ts';
import { pictureRoutes } from './pictures.ts';

const NAME = 'twitch';
/** The paths of the WebSocket server. @twurple/eventsub-ws uses the second if TWURPLE_MOCK_API_PORT is set. */
const SOCKET_PATHS: readonly string[] = [`/${NAME}/ws`, '/ws'];
const SUBSCRIPTIONS_PATH = '/eventsub/subscriptions';
const EVENTSUB_ENDPOINTS = {
  [SUBSCRIPTIONS_PATH]: ['GET', 'POST', 'DELETE'],
  '/eventsub/conduits': ['GET', 'POST', 'PATCH', 'DELETE'],
  '/eventsub/conduits/shards': ['GET', 'PATCH'],
};

export interface TwitchOptions {
  /** The real time, in which WebSockets are pinged. */
  readonly pingClock?: Clock | undefined;
}

/** Twitch: Helix, its authorization server, EventSub and its pictures. */
export function twitchServer(context: SandboxContext, { pingClock }: TwitchOptions = {}): PlatformServer {
  const { clock, journal, world, url } = context;
  const tokens = new Tokens({ journal, clock, collection: 'twitch.tokens' });

  const schedules = new Schedules(journal);
  const follows = new Follows(journal);
  const chats = new Chats(journal);
  const devices = new DeviceCodes({ journal, clock });

  const collection: OpenCollection = (options) => new StoredMap({ journal, ...options });
  let opened: Promise<EventSub> | undefined;
  /** EventSub loads when it is first used. */
  const eventSub = (): Promise<EventSub> =>
    (opened ??= import('./eventsub/eventsub.ts').then(
      (loaded) => new loaded.EventSub({ platform: NAME, context, tokens, collection, refuse: helixRefusal, pingClock }),
    ));
  // The webhooks of an earlier run receive notifications without a request.
  if (journal.all('twitch.eventsub.subscriptions').length > 0) void eventSub();

  const access = authorized({ tokens, budget: new PointsBudget(clock) });
  const helix = new Hono();
  helix.use(access);
  for (const [path, methods] of Object.entries(EVENTSUB_ENDPOINTS)) {
    helix.on(methods, path, async (c) => (await eventSub()).answer(c, path));
  }
  helix.route('/', helixRoutes(NAME, context, { schedules, follows, chats, tokens }));
  const oauth = oauthRoutes({ tokens, devices, world, activation: () => `${url()}/${NAME}/activate` });

  const routes = new Hono();
  routes.route('/helix', helix);
  routes.route('/oauth2', oauth);
  routes.route('/pictures', pictureRoutes(world));

  // @twurple/api uses this path if TWURPLE_MOCK_API_PORT is set.
  const mockedEventSub = new Hono();
  mockedEventSub.use(access);
  mockedEventSub.on(EVENTSUB_ENDPOINTS[SUBSCRIPTIONS_PATH], '/subscriptions', async (c) =>
    (await eventSub()).answer(c, SUBSCRIPTIONS_PATH),
  );

  const control = new Hono();
  serve(control, revokeTwitchTokens, ({ body: { token } }) => ({
    revoked: token === undefined ? tokens.revokeAll() : Number(tokens.revoke(token)),
  }));

  serve(control, activateTwitch, ({ body: { code, user, scopes } }) => ({
    allowed: devices.allow(code, requirePerson(world, user).id, scopes),
  }));

  serve(control, followOnTwitch, ({ body: { channel, user } }) => {
    const broadcaster = requirePerson(world, channel);
    follows.add({ broadcasterId: broadcaster.id, userId: requirePerson(world, user).id, atMs: clock.nowMs() });
    return { followers: broadcaster.followerCount + follows.of(broadcaster.id).length };
  });

  serve(control, twitchChat, () => ({
    items: chats.all().map(({ id, channelId, text, atMs }) => ({
      id,
      channel: world.findPerson(channelId)?.handle ?? channelId,
      text,
      at: new Date(atMs).toISOString(),
    })),
  }));

  serve(control, dropTwitchChat, ({ body: { reason } }) => {
    chats.drop(reason);
    return { drops: reason !== undefined };
  });

  serve(control, twitchEventSub, async () => (await eventSub()).orders.describe());

  serve(control, disturbTwitchEventSub, async ({ body }) => {
    const { orders } = await eventSub();
    switch (body.do) {
      case 'reconnect':
        return { changed: orders.reconnect(body.session) };
      case 'disconnect':
        return { changed: orders.disconnect(body.session, body.code) };
      case 'disableShard':
        return { changed: orders.disableShards('websocket_internal_error', { conduitId: body.conduit, shardId: body.shard }) };
      case 'revoke': {
        const personId = body.user === undefined ? undefined : requirePerson(world, body.user).id;
        return { changed: orders.revoke(body.status, { id: body.subscription, personId }) };
      }
      case 'limit':
        return orders.limit(body);
    }
  });

  serve(control, raidOnTwitch, async ({ body: { from, to, viewers } }) => {
    const [raider, raided] = [requirePerson(world, from, 'from'), requirePerson(world, to, 'to')];
    const stream = world.liveAt(clock.nowMs()).find(({ person }) => person.id === raider.id);
    if (!stream) throw new OrderError(`from: ${raider.handle} is not live. Send goLive first.`);
    const size = viewers ?? Math.max(1, stream.viewerCount);
    (await eventSub()).orders.raid(raider, raided, size);
    return { viewers: size };
  });

  serve(control, planStreams, ({ body: { user, streams } }) => {
    const person = requirePerson(world, user);
    const segments = streams.map(({ id, title, game, startsAt, minutes, canceled, recurring }, index) => ({
      id: id ?? `${person.id}-${startsAt}-${index}`,
      title,
      ...(game !== undefined && { gameId: requireGame(world, game).id }),
      startMs: startsAt,
      endMs: startsAt + minutes * 60_000,
      canceled,
      recurring,
    }));
    schedules.plan(person.id, segments);
    return { streams: segments.map(({ id }) => id) };
  });

  return {
    name: NAME,
    routes,
    // @twurple/api uses these paths if TWURPLE_MOCK_API_PORT is set.
    aliases: { mock: helix, auth: oauth, eventsub: mockedEventSub, ws: new Hono() },
    control,

    upgrade(request, socket, head) {
      const { pathname } = new URL(request.url ?? '/', 'ws://eventsub');
      if (!SOCKET_PATHS.includes(pathname)) {
        socket.destroy();
        return;
      }
      // A connection can end while EventSub loads.
      socket.on('error', () => socket.destroy());
      void eventSub().then((loaded) => loaded.upgrade(request, socket, head));
    },

    async close() {
      await (await opened)?.close();
    },

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
      TWITCH_EVENTSUB_URL: `${url().replace(/^http/u, 'ws')}/${NAME}/ws`,
    }),
  };
}
