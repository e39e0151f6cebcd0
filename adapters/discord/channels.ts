import { z } from 'zod';
import { bareRole } from '#src/clients/operation/text/bare-role.ts';
import { arrayOf, listOf } from '#src/http/lenient.ts';
import type { Clock } from '#src/clock.ts';
import { coalesce } from '#src/http/coalesce.ts';
import type { DiscordApi } from './client.ts';
import { missing } from './errors.ts';
import { readAddress, WireThread } from './wire/message.ts';

/** The name or the id of a channel, without the rest of an address or a mention. */
function bareChannel(name: string): string {
  return readAddress(name)?.channelId ?? /^<#(\d+)>$/.exec(name)?.[1] ?? name;
}

/** How long a name is cached. Channels and roles may be renamed. */
const FRESH_MS = 60_000;

/** A list that is cached for a minute. */
export interface Listing<T> {
  /** The cached list if it suffices; otherwise a new one. Concurrent callers share one request. */
  get(suffices: (known: readonly T[]) => boolean, signal?: AbortSignal): Promise<readonly T[]>;
  /** Drops the cache and running requests. */
  forget(): void;
}

interface FetchedList<T> {
  readonly all: readonly T[];
  readonly askedMs: number;
}

/** Caches the list that `load` returns. */
export function listing<T>(load: (signal: AbortSignal) => Promise<readonly T[]>, { clock }: { readonly clock: Clock }): Listing<T> {
  const newFetch = () => coalesce(async (signal): Promise<FetchedList<T>> => ({ askedMs: clock.nowMs(), all: await load(signal) }));
  let fetchOnce = newFetch();
  let cached: FetchedList<T> | undefined;

  return {
    async get(suffices, signal) {
      if (cached && clock.nowMs() < cached.askedMs + FRESH_MS && suffices(cached.all)) return cached.all;
      const mine = fetchOnce;
      const fetched = await mine(signal);
      if (mine === fetchOnce) cached = fetched;
      return fetched.all;
    },

    forget() {
      cached = undefined;
      fetchOnce = newFetch();
    },
  };
}

const REQUIRES_TAG = 1 << 4;

export const Named = z.object({
  id: z.string(),
  name: z.string(),
  type: z.int().optional(),
  parent_id: z.string().nullish(),
  flags: z.int().nullish(),
  permissions: z.string().nullish(),
  available_tags: arrayOf(z.object({ id: z.string(), name: z.string() })).nullish(),
});

/** A channel, or a role with its permissions. */
export type Named = z.output<typeof Named>;

/** Whether a post in the channel needs a tag. */
export function requiresTag({ flags }: Named): boolean {
  return ((flags ?? 0) & REQUIRES_TAG) !== 0;
}

/** The channels or the roles of a server, cached for a minute. An unknown name fetches them again. */
export interface NamedThings {
  /** Finds by name or id. */
  find(name: string, signal?: AbortSignal): Promise<Named | undefined>;
  /** Finds by name or id. If nothing is found, throws a `PlatformError` with the existing names. */
  require(name: string, signal?: AbortSignal): Promise<Named>;
  /** The names by id. An unknown id fetches them again. */
  namesOf(ids: ReadonlySet<string>, signal?: AbortSignal): Promise<ReadonlyMap<string, string>>;
  /** Drops the cache. */
  forget(): void;
}

/** The prefix of names. */
const PREFIXES = { channel: '#', role: '@' } as const;

interface NamedThingsOptions {
  readonly api: DiscordApi;
  readonly path: `/${string}`;
  readonly kind: keyof typeof PREFIXES;
  /** Filters the candidates. Default: all. */
  readonly isMeant?: ((thing: Named) => boolean) | undefined;
  readonly clock: Clock;
}

/** How many channels or roles an error names. A server can have 500 channels. */
const MOST_NAMED = 20;

/** The things that an error names: those whose names begin like the missing name come first. */
function nearest(name: string, things: readonly Named[]): readonly Named[] {
  const sharedWith = ({ name: other }: Named): number => {
    let end = 0;
    while (end < other.length && other[end] === name[end]) end++;
    return end;
  };
  return things.toSorted((a, b) => sharedWith(b) - sharedWith(a)).slice(0, MOST_NAMED);
}

/** The role of all members. */
export const EVERYONE = '@everyone';

/** Finds channels or roles by name or id. */
export function namedThings({ api, path, kind, isMeant = () => true, clock }: NamedThingsOptions): NamedThings {
  const list = listing(async (signal) => (await api({ method: 'GET', path, answer: listOf(Named), signal })).filter(isMeant), { clock });

  function findIn(name: string, things: readonly Named[]): Named | undefined {
    const bare = kind === 'role' ? bareRole(name) : name.replace(/^#/u, '');
    const byId = things.find(({ id }) => id === bare);
    if (byId) return byId;
    const [first, second] = things.filter((thing) => thing.name === bare);
    if (second) throw missing(`The Discord server has more than one ${kind} "${name}": give its id instead.`);
    return first;
  }

  function thingsWith(name: string, signal: AbortSignal | undefined): Promise<readonly Named[]> {
    return list.get((known) => findIn(name, known) !== undefined, signal);
  }

  return {
    find: async (name, signal) => findIn(name, await thingsWith(name, signal)),

    async require(name, signal) {
      const things = await thingsWith(name, signal);
      const found = findIn(name, things);
      if (found && found.name !== EVERYONE) return found;
      if (kind === 'role' && (found || name === EVERYONE)) throw missing(`All members have the role ${EVERYONE}: name another role.`);
      const names = nearest(name.replace(/^[#@]/u, ''), things).map((thing) => PREFIXES[kind] + thing.name);
      const others = things.length > names.length ? ` and ${things.length - names.length} more` : '';
      throw missing(`The Discord server has no ${kind} "${name}" that the bot can see. It has: ${names.join(', ') || 'none'}${others}.`);
    },

    async namesOf(ids, signal) {
      const things = await list.get((known) => ids.isSubsetOf(new Set(known.map(({ id }) => id))), signal);
      return new Map(things.map(({ id, name: known }) => [id, known]));
    },

    forget: () => list.forget(),
  };
}

const CATEGORY = 4;
const ANNOUNCEMENTS = 5;
/** Channel types that contain only threads: forum and media channels. */
const FORUMS: readonly unknown[] = [15, 16];
/** Voice channels and stages have a chat. */
const VOICE: readonly unknown[] = [2, 13];
const MEANT: readonly unknown[] = [0, ANNOUNCEMENTS, ...VOICE, ...FORUMS];
const ANNOUNCEMENT_THREAD = 10;
const PUBLIC_THREAD = 11;
const PRIVATE_THREAD = 12;
const THREADS: readonly unknown[] = [ANNOUNCEMENT_THREAD, PUBLIC_THREAD, PRIVATE_THREAD];

/** Whether a channel is a thread. */
export function isThread({ type }: Pick<Named, 'type'>): boolean {
  return THREADS.includes(type);
}

/** An unreadable row can be a thread whose creation was not answered. */
const Threads = z.object({ threads: arrayOf(WireThread) });
const AnyChannel = z.object({
  id: z.string(),
  name: z.string(),
  type: z.int(),
  guild_id: z.string().nullish(),
  parent_id: z.string().nullish(),
});

/** The channels of a server, and their threads. */
export interface Channels {
  /** The target of a message: a channel by name, id or address, a thread by id or address, or a thread of a channel. */
  forMessage(
    channel: string,
    options?: { readonly thread?: string | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<Channel>;
  /** The channel for a new thread. */
  forThread(channel: string, signal?: AbortSignal): Promise<Parent>;
  /** The threads of a channel: the active threads, and then the first page of archived threads. */
  threadsOf(channelId: string, signal?: AbortSignal): Promise<readonly WireThread[]>;
  /** Drops the cache. */
  forget(): void;
}

/** A channel or a thread. */
export interface Channel extends Named {
  /** Whether the channel contains only threads. */
  readonly forum: boolean;
}

/** A channel that can have threads. */
export interface Parent extends Channel {
  readonly threadType: number;
}

/** Finds a channel of the server that was read before, by id. */
export type KnownChannel = (id: string) => Named | undefined;

interface ChannelsOptions {
  readonly api: DiscordApi;
  readonly guildId: string;
  readonly known?: KnownChannel | undefined;
  readonly clock: Clock;
}

/** Finds channels by name or id. */
export function channelsOf({ api, guildId, known = () => undefined, clock }: ChannelsOptions): Channels {
  const isMeant = ({ type }: Named): boolean => MEANT.includes(type);
  const named = namedThings({ api, path: `/guilds/${guildId}/channels`, kind: 'channel', isMeant, clock });
  const threads = new Map<string, Named>();
  const threadLists = new Map<string, Listing<WireThread>>();

  /** The list of channels does not contain threads. */
  async function threadById(id: string, signal?: AbortSignal): Promise<Named | undefined> {
    if (!/^\d{15,20}$/.test(id)) return undefined;
    const channel = await api({ method: 'GET', path: `/channels/${id}`, answer: AnyChannel, signal });
    if (channel.guild_id !== guildId) return undefined;
    if (channel.type === CATEGORY) throw missing(`"${channel.name}" is a category, which has no messages: use one of its channels.`);
    if (!isThread(channel)) return undefined;
    threads.set(id, channel);
    return channel;
  }

  /** A channel that was read before, without the list of all channels. The tags of a forum can change. */
  function knownById(id: string): Named | undefined {
    const channel = known(id);
    return channel && MEANT.includes(channel.type) && !FORUMS.includes(channel.type) ? channel : undefined;
  }

  async function threadsOf(channelId: string, signal?: AbortSignal): Promise<readonly WireThread[]> {
    const active = await api({ method: 'GET', path: `/guilds/${guildId}/threads/active`, answer: Threads, signal });
    const path: `/${string}` = `/channels/${channelId}/threads/archived/public`;
    const archived = await api({ method: 'GET', path, query: { limit: '100' }, answer: Threads, signal });
    return [...active.threads.filter(({ parent_id }) => parent_id === channelId), ...archived.threads];
  }

  async function threadIn(channel: Named, name: string, signal?: AbortSignal): Promise<Named> {
    const isWanted = (thread: WireThread): boolean => [thread.id, thread.name].includes(name);
    const list = threadLists.get(channel.id) ?? listing((listSignal) => threadsOf(channel.id, listSignal), { clock });
    threadLists.set(channel.id, list);
    const found = (await list.get((known) => known.some(isWanted), signal)).find(isWanted);
    if (!found) throw missing(`#${channel.name} has no thread "${name}" that the bot can see.`);
    return { id: found.id, name: found.name, type: PUBLIC_THREAD, parent_id: channel.id };
  }

  return {
    threadsOf,

    async forMessage(name, { thread, signal } = {}) {
      const bare = bareChannel(name);
      const found = threads.get(bare) ?? knownById(bare) ?? (await named.find(bare, signal)) ?? (await threadById(bare, signal));
      const channel = found ?? (await named.require(bare, signal));
      if (thread !== undefined) return { ...(await threadIn(channel, bareChannel(thread), signal)), forum: false };
      return { ...channel, forum: FORUMS.includes(channel.type) };
    },

    async forThread(name, signal) {
      const channel = await named.require(bareChannel(name), signal);
      if (VOICE.includes(channel.type)) throw missing(`#${channel.name} is a voice channel: it has no threads.`);
      return {
        ...channel,
        forum: FORUMS.includes(channel.type),
        threadType: channel.type === ANNOUNCEMENTS ? ANNOUNCEMENT_THREAD : PUBLIC_THREAD,
      };
    },

    forget() {
      named.forget();
      threads.clear();
      threadLists.clear();
    },
  };
}
