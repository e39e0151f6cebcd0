import { PlatformError } from '#src/errors.ts';
import { batched } from '#src/http/batched.ts';
import { batchesOf } from '#src/http/batches.ts';
import { cachedByName } from '#src/http/cache.ts';
import { ignoreFaults } from '#src/http/errors.ts';
import type { User } from '#src/clients/streaming/records.ts';
import { MOST_ROWS, type Primitives, type YoutubeApi } from '../client.ts';
import { type ChannelRow, ChannelRows } from '../wire.ts';

const ID = /^UC[\w-]{22}$/u;
/** The handles of channels have letters of any script, digits, and some marks. */
const HANDLE = /^[\p{L}\p{N}._·-]{1,100}$/u;

/** A name without a channel is looked up again after this time, because each look-up costs a unit of the quota. */
const LOOK_AGAIN_MS = 3_600_000;
const MOST_MISSING = 10_000;

/** The channels of YouTube. */
export interface Channels {
  /** The id of a channel by id or handle, cached for a day; undefined if there was none within the last hour. */
  idOf(name: string, signal: AbortSignal | undefined): Promise<string | undefined>;
  /** A channel by id, cached for a day. Look-ups that begin together share a request. */
  byId(id: string, signal: AbortSignal | undefined): Promise<ChannelRow | undefined>;
  /** The present channel by id or handle, for 1 unit. */
  read(name: string, signal: AbortSignal | undefined): Promise<(ChannelRow & { readonly fetchedAt: Date }) | undefined>;
}

const PARTS = 'snippet,statistics,brandingSettings';

export function channelNames(api: YoutubeApi): Channels {
  async function read(name: string, signal: AbortSignal | undefined) {
    if (!ID.test(name) && !HANDLE.test(name)) return undefined;
    const query = ID.test(name) ? { id: name } : { forHandle: `@${name}` };
    const { rows, fetchedAt } = await api.list('/channels', ChannelRows, { part: PARTS, ...query }, { signal });
    return rows[0] && { ...rows[0], fetchedAt };
  }

  const found = cachedByName(api.clock, async (name, signal) => {
    const channel = await read(name, signal);
    if (channel) return channel.id;
    throw new PlatformError(`youtube has no channel "${name}".`, { platform: 'youtube', fault: 'missing' });
  });
  /** When a name was found to have no channel. */
  const missing = new Map<string, number>();

  async function idOf(name: string, signal: AbortSignal | undefined): Promise<string | undefined> {
    if (ID.test(name)) return name;
    const key = name.toLowerCase();
    if (api.clock.nowMs() - (missing.get(key) ?? -Infinity) < LOOK_AGAIN_MS) return undefined;
    const id = await ignoreFaults(found(name, signal), 'missing');
    if (id !== undefined) return id;
    if (missing.size >= MOST_MISSING) missing.clear();
    missing.set(key, api.clock.nowMs());
    return undefined;
  }

  const loaded = batched<ChannelRow>({
    most: MOST_ROWS,
    load: async (ids, signal) => {
      const { rows } = await api.list('/channels', ChannelRows, { part: PARTS, id: ids.join(','), maxResults: MOST_ROWS }, { signal });
      return new Map(rows.map((row) => [row.id, row]));
    },
  });
  const cached = cachedByName(
    api.clock,
    async (id, signal) => ({ row: await loaded(id, signal) }),
    (id) => id,
  );

  return {
    read,
    idOf,
    byId: async (id, signal) => (await cached(id, signal)).row,
  };
}

/** One user by id or handle. */
export function user(
  channels: Channels,
  isLive: (channelId: string, signal: AbortSignal | undefined) => Promise<boolean>,
): Primitives['getUser'] {
  return async ({ user: name }, { signal }) => {
    const channel = await channels.read(name, signal);
    if (!channel)
      throw new PlatformError(`youtube has no channel "${name}": check the spelling.`, { platform: 'youtube', fault: 'missing' });
    return toUser(channel, channel.fetchedAt, await isLive(channel.id, signal));
  };
}

/** The users of channel ids, in their order. */
export async function usersOf(api: YoutubeApi, ids: readonly string[], signal: AbortSignal | undefined): Promise<readonly User[]> {
  const read = await Promise.all(
    batchesOf(ids, MOST_ROWS).map((some) =>
      api.list('/channels', ChannelRows, { part: PARTS, id: some.join(','), maxResults: MOST_ROWS }, { signal }),
    ),
  );
  const users = new Map(read.flatMap(({ rows, fetchedAt }) => rows.map((row) => [row.id, toUser(row, fetchedAt)] as const)));
  return ids.flatMap((id) => users.get(id) ?? []);
}

function toUser(channel: ChannelRow, fetchedAt: Date, isLive?: boolean): User {
  const { id, handle, displayName, bio, avatarUrl, bannerUrl, createdAt, followerCount } = channel;
  return {
    platform: 'youtube',
    id,
    url: channelUrl(channel),
    handle,
    displayName,
    bio,
    avatarUrl,
    bannerUrl,
    createdAt,
    followerCount,
    verified: 'none',
    isLive,
    fetchedAt,
  };
}

/** The address of a channel. */
export function channelUrl({ id, handle }: Pick<ChannelRow, 'id' | 'handle'>): string {
  return handle === id ? `https://www.youtube.com/channel/${id}` : `https://www.youtube.com/@${handle}`;
}
