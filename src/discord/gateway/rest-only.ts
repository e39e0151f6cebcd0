import {
  type APIApplication,
  type APIChannel,
  type APIGuild,
  type APIInteraction,
  type APIThreadList,
  type APIUser,
  DiscordAPIError,
  GatewayDispatchEvents,
  type IShardingStrategy,
  Routes,
  SimpleShardingStrategy,
} from 'discord.js';
import { copySignal, type Clock } from '#src/clock.ts';
import type { Transport } from './transport.ts';

/** How old the cached roles and channels of a server may be. */
const FRESH_MS = 10 * 60_000;

interface RestOnlyOptions {
  /** The ids of the configured servers; none: all servers of the bot, each of which is loaded with its first interaction. */
  readonly servers: readonly string[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Replaces the gateway: loads servers over REST, and receives interactions only over HTTP. */
export function restOnlyStrategy(transport: Transport, { servers, clock, signal }: RestOnlyOptions): IShardingStrategy {
  let closing = new AbortController();
  let until = signal;

  async function get<T>(route: `/${string}`): Promise<T> {
    // discord.js never removes its abort listener.
    using copy = copySignal(until);
    return (await transport.manager.options.rest.get(route, { signal: copy.signal })) as T; // the caller names the route's own type
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
      // The bot is not in the server. The registration of the commands reports it.
      if (error instanceof DiscordAPIError && [403, 404].includes(error.status)) return undefined;
      throw error;
    }
  }

  /** When each server was last loaded for an interaction. */
  const known = new Map<string, { readonly atMs: number; readonly loading: Promise<void> }>();

  function loadServerOf({ guild_id: id }: APIInteraction): Promise<void> | undefined {
    if (id === undefined) return undefined;
    const before = known.get(id);
    if (before && clock.nowMs() - before.atMs < FRESH_MS) return before.loading;
    const loading = load(id).then(
      (one) => one && renew(one),
      // The next interaction tries again.
      () => void known.delete(id),
    );
    known.set(id, { atMs: clock.nowMs(), loading });
    return loading;
  }

  function become({ guild, ...parts }: Loaded): void {
    transport.dispatch({ t: GatewayDispatchEvents.GuildCreate, d: { ...guild, ...parts, ...NO_MEMBERS, unavailable: false } });
  }

  /** discord.js reads the channels of a known server only if it was unavailable. */
  function renew(one: Loaded): void {
    transport.dispatch({ t: GatewayDispatchEvents.GuildDelete, d: { id: one.guild.id, unavailable: true } });
    become(one);
  }

  /** Reads the configured servers again. Those that invited the bot since then are new. */
  async function refresh(): Promise<void> {
    for (;;) {
      await clock.sleep(FRESH_MS, until);
      for (const id of servers) {
        const one = await load(id).catch(() => undefined);
        if (one) renew(one);
      }
    }
  }

  return {
    // discord.js destroys and spawns the shards again once it knows their number.
    spawn() {
      closing = new AbortController();
      until = AbortSignal.any([signal, closing.signal]);
    },

    async connect() {
      const [user, application] = await Promise.all([get<APIUser>(Routes.user()), get<APIApplication>(Routes.currentApplication())]);
      const loaded = (await Promise.all(servers.map(load))).filter((one) => one !== undefined);
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
      for (const one of loaded) become(one);
      const there = new Set(loaded.map(({ guild: { id } }) => id));
      // A configured server may invite the bot later.
      const isLater = (id: string): boolean => servers.length === 0 || (servers.includes(id) && !there.has(id));
      transport.beforeInteraction = (interaction) => (isLater(interaction.guild_id ?? '') ? loadServerOf(interaction) : undefined);
      void refresh().catch(() => undefined);
    },

    destroy: () => closing.abort(),
    send: () => undefined,
    fetchStatus: () => new SimpleShardingStrategy(transport.manager).fetchStatus(),
  };
}

interface Loaded {
  readonly guild: APIGuild;
  readonly channels: readonly APIChannel[];
  readonly threads: APIThreadList['threads'];
}

/** The gateway also sends members, which no code reads. */
const NO_MEMBERS = { members: [], presences: [], voice_states: [], stage_instances: [], guild_scheduled_events: [], soundboard_sounds: [] };
