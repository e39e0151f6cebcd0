import { PlatformError } from '#src/errors.ts';
import type { Page } from '#src/paging/page.ts';
import type { User } from '#src/streaming/records.ts';
import { ignoreFaults } from '#src/http/errors.ts';
import type { KickApi, Primitives } from '../client.ts';
import { type ChannelRow, ChannelRows, channelUrl, type UserRow, UserRows } from '../wire.ts';

/** The most ids in a request. */
export const MOST_IDS = 50;

export interface Channel extends ChannelRow {
  readonly fetchedAt: Date;
}

/** One user by id or slug. */
export function user(api: KickApi): Primitives['getUser'] {
  return async ({ user: name }, { signal }) => {
    const found = await findUser(api, name, signal);
    if (found) return found;
    throw new PlatformError(`kick has no user "${name}": check the spelling.`, { platform: 'kick', fault: 'missing' });
  };
}

/** Finds a user by id or slug. Digits are an id first. */
export async function findUser(api: KickApi, name: string, signal: AbortSignal | undefined): Promise<User | undefined> {
  const [numbered] = isId(name) ? (await channelsById(api, [name], signal)).items : [];
  const slug = toSlug(name);
  const channel = numbered ?? (slug === undefined ? undefined : await channelBySlug(api, slug, signal));
  if (!channel) return undefined;
  const [person] = await usersById(api, [channel.userId], signal);
  const { userId: id, slug: handle, bio, bannerUrl, live, fetchedAt } = channel;
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
export async function channelBySlug(api: KickApi, slug: string, signal: AbortSignal | undefined): Promise<Channel | undefined> {
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
export function isId(name: string): boolean {
  return /^\d{1,15}$/.test(name);
}

/** The slug of a handle; undefined if it is not a valid slug. */
export function toSlug(handle: string): string | undefined {
  return /^[a-zA-Z0-9_-]{1,25}$/.test(handle) ? handle.toLowerCase() : undefined;
}
