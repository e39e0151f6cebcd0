import {
  DiscordAPIError,
  GatewayDispatchEvents,
  Routes,
  SimpleShardingStrategy,
  type APIApplication,
  type APIChannel,
  type APIGuild,
  type APIThreadList,
  type APIUser,
  type IShardingStrategy,
  type RESTAPIPartialCurrentUserGuild,
} from 'discord.js';
import type { Clock } from '#src/clock.ts';
import type { Transport } from './transport.ts';

/** How old what is known of a server may be: its roles are looked up by name. */
const FRESH_MS = 10 * 60_000;

export interface WithoutGatewayOptions {
  /** The ids of the servers that it is at home in; none: all that it is in. */
  readonly servers: readonly string[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Tells a client over REST what the gateway would tell it first; nothing else comes but what is delivered. */
export function withoutGateway(transport: Transport, { servers, clock, signal }: WithoutGatewayOptions): IShardingStrategy {
  let closing = new AbortController();
  let until = signal;

  /** What Discord answers to a GET, as it documents it. */
  async function get<T>(route: `/${string}`): Promise<T> {
    return (await transport.manager.options.rest.get(route, { signal: until })) as T; // the caller names the route's own type
  }

  async function load(id: string): Promise<Loaded | undefined> {
    try {
      const [guild, channels, { threads }] = await Promise.all([
        get<APIGuild>(Routes.guild(id)),
        get<APIChannel[]>(Routes.guildChannels(id)),
        get<APIThreadList>(Routes.guildActiveThreads(id)),
      ]);
      return { guild, channels, threads };
    } catch (error) {
      // The bot is not in it. Who offers commands there tells so.
      if (error instanceof DiscordAPIError && [403, 404].includes(error.status)) return undefined;
      throw error;
    }
  }

  async function refresh(ids: readonly string[]): Promise<void> {
    for (;;) {
      await clock.sleep(FRESH_MS, until);
      for (const id of ids) {
        const d = await get<APIGuild>(Routes.guild(id)).catch(() => undefined);
        if (d) transport.dispatch({ t: GatewayDispatchEvents.GuildUpdate, d });
      }
    }
  }

  return {
    // Destroyed and spawned again before it connects, where the number of shards is settled.
    spawn() {
      closing = new AbortController();
      until = AbortSignal.any([signal, closing.signal]);
    },

    async connect() {
      const [user, application] = await Promise.all([get<APIUser>(Routes.user()), get<APIApplication>(Routes.currentApplication())]);
      const ids = servers.length > 0 ? servers : (await get<RESTAPIPartialCurrentUserGuild[]>(Routes.userGuilds())).map(({ id }) => id);
      const loaded = (await Promise.all(ids.map(load))).filter((one) => one !== undefined);
      transport.dispatch({
        t: GatewayDispatchEvents.Ready,
        d: {
          v: 10,
          user,
          application,
          guilds: loaded.map(({ guild: { id } }) => ({ id, unavailable: true })),
          session_id: '',
          shard: [0, 1],
        },
      });
      for (const { guild, ...parts } of loaded) {
        transport.dispatch({ t: GatewayDispatchEvents.GuildCreate, d: { ...guild, ...parts, ...nobody, unavailable: false } });
      }
      void refresh(loaded.map(({ guild: { id } }) => id)).catch(() => undefined);
    },

    destroy: () => closing.abort(),
    send: () => undefined,
    // There is no connection that could have one.
    fetchStatus: () => new SimpleShardingStrategy(transport.manager).fetchStatus(),
  };
}

interface Loaded {
  readonly guild: APIGuild;
  readonly channels: readonly APIChannel[];
  readonly threads: APIThreadList['threads'];
}

/** What the gateway tells of people, who are not looked up here. */
const nobody = { members: [], presences: [], voice_states: [], stage_instances: [], guild_scheduled_events: [], soundboard_sounds: [] };
