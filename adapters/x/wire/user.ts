import { z } from 'zod';
import type { Person } from '#src/operation/record.ts';
import type { User } from '#src/social/records/user.ts';
import { toText, TextEntities } from './text.ts';
import { count, filled, id, instant, maybe, rowsOf } from './parts.ts';

const UserMetrics = z.object({
  followers_count: maybe(count),
  following_count: maybe(count),
  tweet_count: maybe(count),
  post_count: maybe(count),
});

export const UserRow = z
  .object({
    id,
    username: z.string().min(1),
    name: maybe(filled),
    created_at: maybe(instant),
    description: maybe(filled),
    profile_image_url: maybe(filled),
    profile_banner_url: maybe(filled),
    location: maybe(filled),
    url: maybe(filled),
    entities: maybe(z.object({ url: maybe(TextEntities), description: maybe(TextEntities) })),
    verified: maybe(z.boolean()),
    verified_type: maybe(z.string()),
    protected: maybe(z.boolean()),
    public_metrics: maybe(UserMetrics),
    pinned_tweet_id: maybe(id),
    pinned_post_id: maybe(id),
    connection_status: maybe(rowsOf(z.string())),
    receives_your_dm: maybe(z.boolean()),
  })
  .transform(({ pinned_tweet_id: old, pinned_post_id: pinned = old, ...wire }) => ({ ...wire, pinned }));
export type UserRow = z.output<typeof UserRow>;

const VERIFIED: Readonly<Record<string, User['verified']>> = { blue: 'blue', business: 'business', government: 'government' };

/** The person of a row. */
export function toPerson({ id: userId, username, name }: UserRow): Person {
  return { platform: 'x', id: userId, url: `https://x.com/${username}`, handle: username, displayName: name ?? username };
}

/** A user of whom only the id is known. */
export function unknownPerson(userId: string): Person {
  return { platform: 'x', id: userId, url: `https://x.com/i/user/${userId}`, handle: userId, displayName: userId };
}

export interface ToUserOptions {
  readonly fetchedAt: Date;
  /** The ids of the watched users. */
  readonly watched: ReadonlySet<string>;
}

/** The user of a row. */
export function toUser(row: UserRow, { fetchedAt, watched }: ToUserOptions): User {
  const { connection_status: status, public_metrics: metrics } = row;
  const stands = status && new Set(status);
  const [website] = row.entities?.url?.urls ?? [];
  return {
    ...toPerson(row),
    bio: row.description === undefined ? undefined : toText(row.description, row.entities?.description).text,
    avatarUrl: row.profile_image_url,
    bannerUrl: row.profile_banner_url,
    createdAt: row.created_at,
    followerCount: metrics?.followers_count,
    followingCount: metrics?.following_count,
    postCount: metrics?.tweet_count ?? metrics?.post_count,
    verified: VERIFIED[row.verified_type ?? ''] ?? (row.verified ? 'blue' : 'none'),
    protected: row.protected,
    location: row.location,
    websiteUrl: website?.expanded_url ?? row.url,
    pinnedPostIds: row.pinned === undefined ? [] : [row.pinned],
    viewer: stands && {
      following: stands.has('following'),
      followedBy: stands.has('followed_by'),
      blocking: stands.has('blocking'),
      notifying: watched.has(row.id),
      canDm: row.receives_your_dm ?? false,
    },
    fetchedAt,
  };
}
