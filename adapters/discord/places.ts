import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { bareChannel } from './address.ts';
import type { DiscordApi } from './api.ts';
import { missing } from './faults.ts';
import { listing, type Listing } from './listing.ts';
import { WireThread } from './messages.ts';
import { namedThings, type Named } from './named.ts';

const ANNOUNCEMENTS = 5;
/** Where there is nothing but threads: forums, also those for pictures. */
const FORUMS: readonly unknown[] = [15, 16];
/** Voice channels and stages have a chat. */
const VOICE: readonly unknown[] = [2, 13];
const MEANT: readonly unknown[] = [0, ANNOUNCEMENTS, ...VOICE, ...FORUMS];
const THREADS: readonly unknown[] = [10, 11, 12];
const PUBLIC_THREAD = 11;
const ANNOUNCEMENT_THREAD = 10;

const Threads = z.object({ threads: z.array(WireThread) });
const AnyChannel = z.object({
  id: z.string(),
  name: z.string(),
  type: z.int(),
  guild_id: z.string().nullish(),
  parent_id: z.string().nullish(),
});

/** The channels of a server, and their threads. */
export interface Places {
  /** Where a message goes: a channel by its name, id or address, a thread by its id or address, or a thread of a channel. */
  forMessage(
    channel: string,
    options?: { readonly thread?: string | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<Place>;
  /** Where a thread begins. */
  forThread(channel: string, signal?: AbortSignal): Promise<Parent>;
  /** The threads of a channel, newest first: those in use, and then the first of those that are not. */
  threadsOf(channelId: string, signal?: AbortSignal): Promise<readonly WireThread[]>;
  /** Lets go of what was fetched. */
  forget(): void;
}

/** A channel or a thread. */
export interface Place extends Named {
  /** Whether there is nothing in it but threads, each of which begins with a post. */
  readonly forum: boolean;
}

/** A channel in which threads begin. */
export interface Parent extends Place {
  readonly threadType: number;
}

export interface PlacesOptions {
  readonly api: DiscordApi;
  readonly guildId: string;
  readonly clock: Clock;
}

/** Finds channels by what people call them. */
export function placesOf({ api, guildId, clock }: PlacesOptions): Places {
  const isMeant = ({ type }: Named): boolean => MEANT.includes(type);
  const channels = namedThings({ api, path: `/guilds/${guildId}/channels`, kind: 'channel', mark: '#', isMeant, clock });
  const threads = new Map<string, Named>();
  const threadLists = new Map<string, Listing<WireThread>>();

  /** The list of channels has no threads: one is asked for by its id. */
  async function threadById(id: string, signal?: AbortSignal): Promise<Named | undefined> {
    if (!/^\d{15,20}$/.test(id)) return undefined;
    const channel = await api({ method: 'GET', path: `/channels/${id}`, answer: AnyChannel, signal });
    if (channel.guild_id !== guildId || !THREADS.includes(channel.type)) return undefined;
    threads.set(id, channel);
    return channel;
  }

  async function threadsOf(channelId: string, signal?: AbortSignal): Promise<readonly WireThread[]> {
    const active = await api({ method: 'GET', path: `/guilds/${guildId}/threads/active`, answer: Threads, signal });
    const path: `/${string}` = `/channels/${channelId}/threads/archived/public`;
    const archived = await api({ method: 'GET', path, query: { limit: '100' }, answer: Threads, signal });
    return [...active.threads.filter(({ parent_id }) => parent_id === channelId), ...archived.threads];
  }

  async function threadIn(channel: Named, name: string, signal?: AbortSignal): Promise<Named> {
    const isWanted = (thread: WireThread): boolean => [thread.id, thread.name].includes(name);
    const list = threadLists.get(channel.id) ?? listing((own) => threadsOf(channel.id, own), { clock });
    threadLists.set(channel.id, list);
    const found = (await list.get((known) => known.some(isWanted), signal)).find(isWanted);
    if (!found) throw missing(`#${channel.name} has no thread "${name}" that the bot can see.`);
    return { id: found.id, name: found.name, parent_id: channel.id };
  }

  return {
    threadsOf,

    async forMessage(name, { thread, signal } = {}) {
      const bare = bareChannel(name);
      const found = threads.get(bare) ?? (await channels.find(bare, signal)) ?? (await threadById(bare, signal));
      const channel = found ?? (await channels.require(bare, signal));
      if (thread !== undefined) return { ...(await threadIn(channel, bareChannel(thread), signal)), forum: false };
      return { ...channel, forum: FORUMS.includes(channel.type) };
    },

    async forThread(name, signal) {
      const channel = await channels.require(bareChannel(name), signal);
      if (VOICE.includes(channel.type)) throw missing(`#${channel.name} is a voice channel, in which there are no threads.`);
      return {
        ...channel,
        forum: FORUMS.includes(channel.type),
        threadType: channel.type === ANNOUNCEMENTS ? ANNOUNCEMENT_THREAD : PUBLIC_THREAD,
      };
    },

    forget() {
      channels.forget();
      threads.clear();
      threadLists.clear();
    },
  };
}
