import type { z } from 'zod';
import { filledIn, flagIn, instantIn, needed, objectIn, rowOf, rowsIn, textIn } from '#src/http/values.ts';
import type { Person } from '#src/clients/operation/record.ts';
import type { User } from '#src/clients/social/records/user.ts';
import { countIn, idIn } from './parts.ts';
import { entitiesOf, toText } from './text.ts';

function metricsIn(wire: unknown) {
  const row = objectIn(wire);
  return (
    row && {
      followers: countIn(row['followers_count']),
      following: countIn(row['following_count']),
      posts: countIn(row['tweet_count']) ?? countIn(row['post_count']),
    }
  );
}

function statusIn(wire: unknown): readonly string[] | undefined {
  return wire === undefined || wire === null ? undefined : rowsIn(wire, textIn);
}

/** A user in either vocabulary of X. */
export const UserRow = rowOf((row) => {
  const entities = objectIn(row['entities']);
  return {
    id: needed(idIn(row['id']), 'id'),
    username: needed(filledIn(row['username']), 'username'),
    name: filledIn(row['name']),
    created_at: instantIn(row['created_at']),
    description: filledIn(row['description']),
    profile_image_url: filledIn(row['profile_image_url']),
    profile_banner_url: filledIn(row['profile_banner_url']),
    location: filledIn(row['location']),
    url: filledIn(row['url']),
    entities: entities && { url: entitiesOf(entities['url']), description: entitiesOf(entities['description']) },
    verified: flagIn(row['verified']),
    verified_type: textIn(row['verified_type']),
    protected: flagIn(row['protected']),
    public_metrics: metricsIn(row['public_metrics']),
    pinned: idIn(row['pinned_post_id']) ?? idIn(row['pinned_tweet_id']),
    connection_status: statusIn(row['connection_status']),
    receives_your_dm: flagIn(row['receives_your_dm']),
  };
});
export type UserRow = z.output<typeof UserRow>;

const VERIFIED: ReadonlyMap<string, User['verified']> = new Map([
  ['blue', 'blue'],
  ['business', 'business'],
  ['government', 'government'],
]);

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
    followerCount: metrics?.followers,
    followingCount: metrics?.following,
    postCount: metrics?.posts,
    verified: VERIFIED.get(row.verified_type ?? '') ?? (row.verified ? 'blue' : 'none'),
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
