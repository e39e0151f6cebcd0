import { Hono } from 'hono';
import type { PlatformServer, SandboxContext } from '../context.ts';
import { serve } from '../control/endpoint.ts';
import { requireGame, requirePerson } from '../control/named.ts';
import { PointsBudget, Tokens, authorized, credentials, helixRefusal, oauthRoutes, rateHeaders } from './access.ts';
import { activateTwitch, dropTwitchChat, followOnTwitch, planStreams, revokeTwitchTokens, twitchChat } from './control-endpoints.ts';
import { Chats } from './chat.ts';
import { DeviceCodes } from './device-codes.ts';
import { Follows } from './follows.ts';
import { helixRoutes } from './helix/routes.ts';
import { Schedules } from './helix/schedule.ts';
import { pictureRoutes } from './pictures.ts';

const NAME = 'twitch';

/** Twitch: Helix, its authorization server and its pictures. */
export function twitchServer(context: SandboxContext): PlatformServer {
  const { clock, journal, world, url } = context;
  const tokens = new Tokens({ journal, clock, collection: 'twitch.tokens' });

  const schedules = new Schedules(journal);
  const follows = new Follows(journal);
  const chats = new Chats(journal);
  const devices = new DeviceCodes({ journal, clock });

  const helix = new Hono();
  helix.use(authorized({ tokens, budget: new PointsBudget(clock) }));
  helix.route('/', helixRoutes(NAME, context, { schedules, follows, chats, tokens }));
  const oauth = oauthRoutes({ tokens, devices, world, activation: () => `${url()}/${NAME}/activate` });

  const routes = new Hono();
  routes.route('/helix', helix);
  routes.route('/oauth2', oauth);
  routes.route('/pictures', pictureRoutes(world));

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
