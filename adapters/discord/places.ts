import { z } from 'zod';
import type { DiscordApi } from './api.ts';
import { missing } from './faults.ts';
import { WireThread } from './messages.ts';
import { namedThings, type Named } from './named.ts';

const ANNOUNCEMENTS = 5;
/** Where there is nothing but threads: forums, also those for pictures. */
const FORUMS: readonly unknown[] = [15, 16];
const MEANT: readonly unknown[] = [0, ANNOUNCEMENTS, ...FORUMS];
const THREADS: readonly unknown[] = [10, 11, 12];
const PUBLIC_THREAD = 11;
const ANNOUNCEMENT_THREAD = 10;

const Threads = z.object({ threads: z.array(WireThread) });
const AnyChannel = z.object({ id: z.string(), name: z.string(), type: z.int(), guild_id: z.string().nullish() });

/** The channels of a server, and their threads. */
export interface Places {
  /** Where a message goes: a channel by its name or id, a thread by its id, or a thread of a channel. */
  forMessage(
    channel: string,
    options?: { readonly thread?: string | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<Named>;
  /** Where a thread begins. */
  forThread(channel: string, signal?: AbortSignal): Promise<Parent>;
  /** The threads of a channel, newest first: those in use, and then the first of those that are not. */
  threadsOf(channelId: string, signal?: AbortSignal): Promise<readonly WireThread[]>;
  /** Lets go of what was fetched. */
  forget(): void;
}

/** A channel in which threads begin. */
interface Parent extends Named {
  /** Whether a thread in it begins with a post. */
  readonly forum: boolean;
  readonly threadType: number;
}

export interface PlacesOptions {
  readonly api: DiscordApi;
  readonly guildId: string;
}

/** Finds channels by what people call them. */
export function placesOf({ api, guildId }: PlacesOptions): Places {
  const isMeant = ({ type }: Named): boolean => MEANT.includes(type);
  const channels = namedThings({ api, path: `/guilds/${guildId}/channels`, kind: 'channel', mark: '#', isMeant });
  const threads = new Map<string, Named>();

  /** The list of channels has no threads: one is asked for by its id. */
  async function threadById(id: string, signal?: AbortSignal): Promise<Named | undefined> {
    const known = threads.get(id);
    if (known || !/^\d{15,20}$/.test(id)) return known;
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
    const found =
      threads.get(`${channel.id} ${name}`) ?? (await threadsOf(channel.id, signal)).find((one) => [one.id, one.name].includes(name));
    if (!found) throw missing(`#${channel.name} has no thread "${name}" that the bot can see.`);
    threads.set(`${channel.id} ${name}`, { id: found.id, name: found.name });
    return { id: found.id, name: found.name };
  }

  return {
    threadsOf,

    async forMessage(name, { thread, signal } = {}) {
      const channel = (await channels.find(name, signal)) ?? (await threadById(name, signal)) ?? (await channels.require(name, signal));
      if (thread !== undefined) return threadIn(channel, thread, signal);
      if (FORUMS.includes(channel.type)) {
        throw missing(`#${channel.name} is a forum: name a thread of it, or begin one with discord.thread.`);
      }
      return channel;
    },

    async forThread(name, signal) {
      const channel = await channels.require(name, signal);
      return {
        ...channel,
        forum: FORUMS.includes(channel.type),
        threadType: channel.type === ANNOUNCEMENTS ? ANNOUNCEMENT_THREAD : PUBLIC_THREAD,
      };
    },

    forget() {
      channels.forget();
      threads.clear();
    },
  };
}
