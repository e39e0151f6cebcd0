import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { batched } from '#src/http/batched.ts';
import { cachedByName } from '#src/http/cache.ts';
import type { Page } from '#src/clients/paging/page.ts';
import type { User } from '#src/clients/streaming/records.ts';
import { ignoreFaults } from '#src/http/errors.ts';
import type { KickApi, Primitives } from '../client.ts';
import { type ChannelRow, ChannelRows, channelUrl, type UserRow, UserRows } from '../wire.ts';

/** The most ids in a request. */
export const MOST_IDS = 50;

export interface Channel extends ChannelRow {
  readonly fetchedAt: Date;
}

/** One user by id or slug. */
export function user(channels: ChannelNames): Primitives['getUser'] {
  return async ({ user: name }, { signal }) => {
    const found = await channels.find(name, signal);
    if (found) return found;
    throw new PlatformError(`kick has no user "${name}": check the spelling.`, { platform: 'kick', fault: 'missing' });
  };
}

/** Finds channels. Look-ups that begin together share requests. */
export interface ChannelNames {
  /** The user of a channel by id or slug. Digits are an id first. */
  find(name: string, signal: AbortSignal | undefined): Promise<User | undefined>;
  /** The id of a channel by id or slug; undefined if there is none. The ids of slugs are looked up one at a time and cached for a day. */
  idOf(name: string, signal: AbortSignal | undefined): Promise<string | undefined>;
}

export function channelNames(api: KickApi, clock: Clock): ChannelNames {
  /** The ids of slugs that were looked up. */
  const idOfSlug = cachedByName(clock, async (slug, signal) => (await requireChannel(slug, signal)).userId);
  const channelOf = batched<Channel>({
    most: MOST_IDS,
    load: async (ids, signal) => new Map((await channelsById(api, ids, signal)).items.map((channel) => [channel.userId, channel])),
  });
  const userOf = batched<UserRow>({
    most: MOST_IDS,
    load: async (ids, signal) => new Map((await usersById(api, ids, signal)).map((row) => [row.id, row])),
  });

  async function requireChannel(slug: string, signal: AbortSignal | undefined): Promise<Channel> {
    const channel = await channelBySlug(api, slug, signal);
    if (channel) return channel;
    throw new PlatformError(`kick has no channel "${slug}".`, { platform: 'kick', fault: 'missing' });
  }

  async function channelNamed(slug: string, signal: AbortSignal | undefined): Promise<Channel | undefined> {
    const known = idOfSlug.known(slug);
    const channel = known === undefined ? undefined : await channelOf(known, signal);
    // A channel with another slug was renamed.
    if (channel?.slug.toLowerCase() === slug) return channel;
    const found = await channelBySlug(api, slug, signal);
    if (found) idOfSlug.learn(slug, found.userId);
    return found;
  }

  return {
    async idOf(name, signal) {
      if (isId(name)) return name;
      const slug = toSlug(name);
      return slug === undefined ? undefined : ignoreFaults(idOfSlug(slug, signal), 'missing');
    },
    async find(name, signal) {
      const slug = toSlug(name);
      const numbered = isId(name) ? await channelOf(name, signal) : undefined;
      const channel = numbered ?? (slug === undefined ? undefined : await channelNamed(slug, signal));
      return channel && toUser(channel, await userOf(channel.userId, signal));
    },
  };
}

function toUser({ userId: id, slug: handle, bio, bannerUrl, live, fetchedAt }: Channel, person: UserRow | undefined): User {
  return {
    platform: 'kick',
    id,
    url: channelUrl(handle),
    handle,
    displayName: person?.name ?? handle,
    bio,
    avatarUrl: person?.avatarUrl,
    bannerUrl,
    verified: 'none',
    isLive: live !== undefined,
    fetchedAt,
  };
}

/** The channel with this slug. Kick refuses a whole request if one slug is unknown, so each slug has its own request. */
async function channelBySlug(api: KickApi, slug: string, signal: AbortSignal | undefined): Promise<Channel | undefined> {
  const answer = await ignoreFaults(api.list('/v1/channels', ChannelRows, { slug }, { signal }), 'rejected', 'missing');
  const [row] = answer?.rows ?? [];
  return answer && row && { ...row, fetchedAt: answer.fetchedAt };
}

/** The existing channels; at most `MOST_IDS` ids. */
export async function channelsById(api: KickApi, ids: readonly string[], signal: AbortSignal | undefined): Promise<Page<Channel>> {
  const { rows, partialErrors, fetchedAt } = await api.list('/v1/channels', ChannelRows, { broadcaster_user_id: ids }, { signal });
  return { items: rows.map((row) => ({ ...row, fetchedAt })), partialErrors };
}

/** Names and pictures of users; at most `MOST_IDS` ids. */
export async function usersById(api: KickApi, ids: readonly string[], signal: AbortSignal | undefined): Promise<readonly UserRow[]> {
  return (await api.list('/v1/users', UserRows, { id: ids }, { signal })).rows;
}

/** Whether a name has the form of an id. */
function isId(name: string): boolean {
  return /^\d{1,15}$/.test(name);
}

/** The slug of a handle; undefined if it is not a valid slug. */
function toSlug(handle: string): string | undefined {
  return /^[a-zA-Z0-9_-]{1,25}$/.test(handle) ? handle.toLowerCase() : undefined;
}
