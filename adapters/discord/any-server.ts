import { z } from 'zod';
import type { CallOptions } from '#src/clients/operation/call.ts';
import { PlatformError } from '#src/errors.ts';
import { isFault } from '#src/http/errors.ts';
import { type KnownChannel, Named } from './channels.ts';
import type { DiscordApi } from './client.ts';
import { missing } from './errors.ts';
import type { DiscordPlatform } from './index.ts';
import type { ChannelWish } from './permissions/examining.ts';
import { readAddress } from './wire/message.ts';

/** How many servers are kept open. Each has its caches of channels and roles. */
const MOST_OPEN = 500;
/** How many channels are known by their server. A channel never moves to another server. */
const MOST_CHANNELS = 20_000;

const InServer = Named.extend({ guild_id: z.string() });
/** The channel of direct messages has no server. */
const Place = z.union([InServer, z.object({ id: z.string() })]);

interface AnyServerOptions {
  readonly api: DiscordApi;
  /** The server of the account, whose channels rules can also name. */
  readonly homeId: string;
  readonly home: DiscordPlatform;
  /** Whether Fanfare works in another server. The bot can be a member of servers that no one configured. */
  readonly isServed: (guildId: string) => boolean;
  /** Opens the platform of another server. */
  readonly open: (guildId: string, known: KnownChannel) => DiscordPlatform;
}

/** The operations that close what was sent to a server before `fanfare.yaml` named it no longer. They send and read nothing new. */
const CLOSING: ReadonlySet<string> = new Set(['edit', 'delete', 'removeRole']);

type Call = (params: Readonly<Record<string, unknown>>, options: CallOptions) => Promise<unknown>;

/** A platform for the channels of all servers that the bot serves: an id of a channel or a message decides in which server an operation works. */
export function anyServer({ api, homeId, home, isServed, open }: AnyServerOptions): DiscordPlatform {
  const servers = new Map<string, DiscordPlatform>();
  const channels = new Map<string, z.output<typeof InServer>>();

  function platformOf(guildId: string): DiscordPlatform {
    if (guildId === homeId) return home;
    const platform = servers.get(guildId) ?? open(guildId, (id) => channels.get(id));
    servers.delete(guildId);
    servers.set(guildId, platform);
    const [oldest] = servers.keys();
    if (servers.size > MOST_OPEN && oldest !== undefined) servers.delete(oldest);
    return platform;
  }

  async function serverOf(channel: string, signal: AbortSignal | undefined): Promise<string> {
    const known = channels.get(channel);
    if (known) return known.guild_id;
    // For a channel that is deleted or hidden, the operation fails in the server of the account, with the reason.
    const found = await api({ method: 'GET', path: `/channels/${channel}`, answer: Place, signal }).catch((error: unknown) => {
      if (!isFault(error, 'missing') && !isFault(error, 'forbidden')) throw error;
    });
    if (!found || !('guild_id' in found)) return homeId;
    const [oldest] = channels.keys();
    if (channels.size >= MOST_CHANNELS && oldest !== undefined) channels.delete(oldest);
    channels.set(channel, found);
    return found.guild_id;
  }

  /** Reads a channel again after a failure that may be about it. */
  function forget(params: Readonly<Record<string, unknown>>): void {
    const channel = channelIn(params);
    if (channel !== undefined) channels.delete(channel);
  }

  async function platformFor(
    params: Readonly<Record<string, unknown>>,
    { signal }: CallOptions,
    operation?: string,
  ): Promise<DiscordPlatform> {
    const { server } = params;
    const channel = channelIn(params);
    const guildId = typeof server === 'string' ? server : channel === undefined ? homeId : await serverOf(channel, signal);
    if (guildId !== homeId && !isServed(guildId) && !CLOSING.has(operation ?? '')) throw unserved();
    return platformOf(guildId);
  }

  /** The same functions, each in the server of its parameters. */
  function routed<T extends object>(functions: T, pick: (platform: DiscordPlatform) => object | undefined): T {
    const route =
      (name: string): Call =>
      async (params, options) => {
        const platform = await platformFor(params, options, name);
        const call = Reflect.get(pick(platform) ?? {}, name) as Call; // every server has the functions of the first one
        try {
          return await call(params, options);
        } catch (error) {
          if (isFault(error, 'missing')) forget(params);
          // A server that removed the bot says nothing about the others.
          throw platform !== home && error instanceof PlatformError && error.refusesAccount ? error.ofTarget() : error;
        }
      };
    return Object.fromEntries(Object.keys(functions).map((name) => [name, route(name)])) as T; // the names and the signatures are the same
  }

  const { missingParts } = home;
  return {
    ...home,
    async examine(wish, signal) {
      const { channel } = { channel: undefined, ...wish };
      try {
        const platform = await platformFor({ channel }, { signal });
        const problem = await platform.examine(wish, signal);
        return problem !== undefined && platform !== home && 'channel' in wish ? problemElsewhere(wish) : problem;
      } catch (error) {
        if (isFault(error, 'missing')) return error.message;
        throw error;
      }
    },
    operations: routed(home.operations, (platform) => platform.operations),
    ...(home.recover && { recover: routed(home.recover, (platform) => platform.recover) }),
    ...(missingParts && {
      missingParts: async (params, options) => (await platformFor(params, options)).missingParts?.(params, options) ?? [],
    }),
  };
}

/** A problem in another server without names: members of the server of the account read it, and may not know the channels and roles there. */
function problemElsewhere({ channel, needs }: ChannelWish): string {
  return `The bot cannot do everything that the rule needs in the channel ${channel} of another Discord server. There, check its permissions (${needs.join(', ')}), and the roles and tags that the rule names.`;
}

function unserved(): PlatformError {
  return missing(
    'The channel belongs to a Discord server that Fanfare does not serve: name the server in fanfare.yaml, or let the section discord serve all servers.',
  );
}

/** The id of the channel that parameters name; undefined for names, which belong to the server of the account. */
function channelIn({ channel, message, thread }: Readonly<Record<string, unknown>>): string | undefined {
  for (const text of [channel, message, thread]) {
    if (typeof text !== 'string') continue;
    const [, pair] = /^(\d{15,20})(?:\/\d{15,20})?$/u.exec(text) ?? [];
    const id = pair ?? readAddress(text)?.channelId ?? /^<#(\d{15,20})>$/u.exec(text)?.[1];
    if (id !== undefined) return id;
  }
  return undefined;
}
