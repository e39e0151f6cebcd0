import { type Client, Events, type Guild } from 'discord.js';
import type { NoticeStore, ServerSettings, ServerStore } from '#src/admin/servers/server-store.ts';
import type { Clock } from '#src/clock.ts';
import type { DiscordServer, DiscordSettings } from '#src/config/discord-settings.ts';
import type { Log } from '#src/log.ts';
import { serverOf } from '#src/discord/caller.ts';
import type { ClientSetup } from '#src/discord/connection.ts';
import { greet } from './greeting.ts';

/** A server that invited the bot while Fanfare did not run is still greeted this long afterwards. */
const GREETED_MS = 24 * 60 * 60_000;

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
    const { id, name, joinedAt } = guild;
    if (!known || known.leftAt || known.name !== name) await stored.join({ id, name, joinedAt });
    if (clock.nowMs() - joinedAt.getTime() < GREETED_MS) await greet(guild, { notices, log });
  }

  async function left(id: string): Promise<void> {
    if (await stored.leave(id)) log.info({ server: id }, 'the bot was removed from a server: its lists stay for 30 days');
  }

  /** Compares the servers of a shard with the stored ones, because servers invite and remove the bot while Fanfare does not run. */
  async function compare(client: Client<true>): Promise<void> {
    const { guilds } = client;
    const known = new Map((await stored.list()).map((server) => [server.id, server]));
    for (const guild of guilds.cache.values()) if (isServed(guild)) await attempt(guild.id, () => joined(guild, known.get(guild.id)));
    const [shard = 0] = client.options.shards === 'auto' ? [] : [client.options.shards ?? []].flat();
    const count = client.options.shardCount ?? 1;
    const isHere = (id: string): boolean => (BigInt(id) >> 22n) % BigInt(count) === BigInt(shard);
    for (const { id, leftAt } of known.values()) if (!leftAt && isHere(id) && !guilds.cache.has(id)) await attempt(id, () => left(id));
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
      client.once(Events.ClientReady, (ready) => work(attempt(undefined, () => compare(ready))));
      client.on(Events.GuildCreate, (guild) => {
        if (isServed(guild)) work(attempt(guild.id, () => joined(guild)));
      });
      client.on(Events.GuildDelete, ({ id }) => work(attempt(id, () => left(id))));
    },
  };
}
