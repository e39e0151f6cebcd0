import {
  type APIGuild,
  type Client,
  DiscordAPIError,
  Events,
  GatewayDispatchEvents,
  type GatewayReadyDispatchData,
  type Guild,
  RESTJSONErrorCodes,
  Routes,
} from 'discord.js';
import type { NoticeStore, ServerSettings, ServerStore } from '#src/admin/servers/server-store.ts';
import type { Clock } from '#src/clock.ts';
import type { DiscordServer, DiscordSettings } from '#src/config/discord-settings.ts';
import type { Log } from '#src/log.ts';
import { serverOf } from '#src/discord/caller.ts';
import type { ClientSetup } from '#src/discord/connection.ts';
import { greet } from './greeting.ts';
import { joinedServers } from './joined-servers.ts';

/** A server that invited the bot while Fanfare did not run is still greeted this long afterwards. */
const GREETED_MS = 24 * 60 * 60_000;

/** How often the servers are compared without a gateway. */
const COMPARED_EVERY_MS = 10 * 60_000;

/** How Discord refuses a bot that is not in a server. */
const REFUSALS: ReadonlySet<unknown> = new Set([RESTJSONErrorCodes.UnknownGuild, RESTJSONErrorCodes.MissingAccess]);

interface MembershipOptions {
  readonly servers: readonly DiscordServer[];
  readonly settings: DiscordSettings;
  readonly stored: ServerStore;
  readonly notices: NoticeStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Notes which servers have the bot, and greets new ones. */
export interface Membership {
  /** Listens to a client before it connects. */
  readonly attach: (client: Client, setup: Pick<ClientSetup, 'work'>) => void;
}

export function createMembership({ servers, settings, stored, notices, clock, log, signal }: MembershipOptions): Membership {
  const isServed = ({ id }: Pick<Guild, 'id'>): boolean => serverOf(id, servers, settings) !== undefined;

  /** `known`: what is stored of the server. */
  async function joined(guild: Guild, known?: ServerSettings): Promise<void> {
    const { id, name, joinedAt, preferredLocale: locale } = guild;
    // Without a gateway, Discord does not say when the bot joined.
    const since = Number.isNaN(joinedAt.getTime()) ? new Date(clock.nowMs()) : joinedAt;
    if (!known || known.leftAt || known.name !== name) await stored.join({ id, name, joinedAt: since });
    if (known?.locale !== locale) await stored.change(id, { locale });
    if (clock.nowMs() - joinedAt.getTime() < GREETED_MS) await greet(guild, { stored, notices, log });
  }

  async function left(id: string): Promise<void> {
    if (await stored.leave(id)) log.info({ server: id }, 'the bot was removed from a server: its lists stay for 30 days');
  }

  /** Compares the servers of a shard with the stored ones, because servers invite and remove the bot while Fanfare does not run. */
  async function compare(client: Client<true>): Promise<void> {
    const { guilds } = client;
    const known = new Map((await stored.list()).map((server) => [server.id, server]));
    // A server in an outage of Discord has no name yet. It is noted once it is available.
    for (const guild of guilds.cache.values())
      if (isServed(guild) && guild.available) await attempt(guild.id, () => joined(guild, known.get(guild.id)));
    // Without a gateway, most servers are loaded with their first interaction, so a server that is absent has not left.
    if (settings.gateway) await compareLeft(client, [...known.values()], (id) => guilds.cache.has(id));
    else await compareByList(client);
  }

  /** Without a gateway, no event tells that a server removed the bot, or has it again. */
  async function compareByList(client: Client): Promise<void> {
    const known = await stored.list();
    const here = new Set<string>();
    for await (const page of joinedServers(client.rest, signal)) for (const id of page) here.add(id);
    for (const server of known) {
      const isDifferent = here.has(server.id) ? isAway(server) : !server.leftAt;
      if (isDifferent) await attempt(server.id, () => note(server, client));
    }
  }

  async function keepComparing(client: Client): Promise<void> {
    for (;;) {
      await clock.sleep(COMPARED_EVERY_MS, signal).catch(() => undefined);
      if (signal.aborted) return;
      await attempt(undefined, () => compareByList(client));
    }
  }

  function isAway({ id, leftAt }: ServerSettings): boolean {
    return leftAt !== undefined && isServed({ id });
  }

  /** Notes whether a server has the bot. The server itself is asked, because a list without it would end its announcements. */
  async function note({ id, leftAt }: ServerSettings, { rest }: Client): Promise<void> {
    const guild = (await rest.get(Routes.guild(id)).catch((error: unknown) => {
      if (!(error instanceof DiscordAPIError) || !REFUSALS.has(error.code)) throw error;
    })) as APIGuild | undefined; // as Discord documents it
    if (!guild) return left(id);
    if (!leftAt) return;
    await stored.join({ id, name: guild.name, joinedAt: new Date(clock.nowMs()) });
    await stored.change(id, { locale: guild.preferred_locale });
  }

  async function compareLeft(client: Client, known: readonly ServerSettings[], has: (id: string) => boolean): Promise<void> {
    const [shard = 0] = client.options.shards === 'auto' ? [] : [client.options.shards ?? []].flat();
    const count = client.options.shardCount ?? 1;
    const isHere = (id: string): boolean => (BigInt(id) >> 22n) % BigInt(count) === BigInt(shard);
    for (const { id, leftAt } of known) if (!leftAt && isHere(id) && !has(id)) await attempt(id, () => left(id));
  }

  /** A new session has no events about what happened since the lost one. discord.js keeps the servers of the lost session. */
  async function compareAgain(client: Client, servers: ReadonlySet<string>): Promise<void> {
    for (const id of client.guilds.cache.keys()) if (!servers.has(id)) client.guilds.cache.delete(id);
    await compareLeft(client, await stored.list(), (id) => servers.has(id));
  }

  async function attempt(server: string | undefined, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!signal.aborted) log.warn({ server, reason: error instanceof Error ? error.message : error }, 'a server could not be noted');
    }
  }

  return {
    attach(client, { work }) {
      function noteAgain(guild: Guild): void {
        if (isServed(guild)) work(attempt(guild.id, async () => joined(guild, await stored.find(guild.id))));
      }

      client.once(Events.ClientReady, (ready) => {
        work(attempt(undefined, () => compare(ready)));
        if (!settings.gateway) work(keepComparing(ready));
      });
      client.on(Events.Raw, (packet: unknown) => {
        const servers = serversOfReady(packet);
        // The first session is compared once all of its servers are there.
        if (servers && client.isReady()) work(attempt(undefined, () => compareAgain(client, servers)));
      });
      client.on(Events.GuildCreate, (guild) => {
        if (isServed(guild)) work(attempt(guild.id, () => joined(guild)));
      });
      // discord.js knows new servers of a new session from its READY, so it reports them as available again.
      client.on(Events.GuildAvailable, (guild) => {
        if (client.isReady()) noteAgain(guild);
      });
      client.on(Events.GuildUpdate, (_, guild) => noteAgain(guild));
      client.on(Events.GuildDelete, ({ id }) => work(attempt(id, () => left(id))));
    },
  };
}

/** The ids of the servers in the first event of a session. */
function serversOfReady(packet: unknown): ReadonlySet<string> | undefined {
  const { t, d } = packet as { readonly t?: unknown; readonly d?: GatewayReadyDispatchData }; // discord.js emits payloads of the gateway
  return t === GatewayDispatchEvents.Ready && d ? new Set(d.guilds.map(({ id }) => id)) : undefined;
}
