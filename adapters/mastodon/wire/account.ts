import { z } from 'zod';
import type { Author, Person } from '#src/clients/operation/record.ts';
import type { User } from '#src/clients/social/records/user.ts';
import { htmlTokens } from '#src/http/media/pages/html-tokens.ts';
import { textOfHtml } from '../text/html.ts';
import { fromWireVisibility } from './visibility.ts';
import { address, countIfAny, filled, flag, id, instantIfAny, PLATFORM, rowsOf, text } from './parts.ts';

/** An account. */
export const AccountRow = z
  .object({
    id,
    username: text,
    acct: z.string().min(1),
    display_name: text,
    url: address,
    note: text,
    avatar: address,
    header: address,
    created_at: instantIfAny,
    followers_count: countIfAny,
    following_count: countIfAny,
    statuses_count: countIfAny,
    locked: flag,
    suspended: flag,
    bot: z.boolean().nullish(),
    fields: rowsOf(z.object({ value: text, verified_at: filled })),
    source: z.object({ privacy: filled }).nullish().catch(undefined),
  })
  .transform(({ display_name, created_at, followers_count, following_count, statuses_count, source, ...wire }) => ({
    ...wire,
    displayName: display_name || wire.username || wire.acct,
    createdAt: created_at,
    followerCount: followers_count,
    followingCount: following_count,
    postCount: statuses_count,
    // Only the signed-in account has it.
    defaultVisibility: source?.privacy === undefined ? undefined : fromWireVisibility(source.privacy),
  }));
export type AccountRow = z.output<typeof AccountRow>;

/** The person of an account. */
export function toPerson({ id: personId, url, acct, displayName }: AccountRow): Person {
  return { platform: PLATFORM, id: personId, url, handle: acct, displayName };
}

/** The author of a status or a message. */
export function toAuthor(row: AccountRow): Author {
  return { ...toPerson(row), bot: row.bot ?? undefined };
}

export function toUser(
  row: AccountRow,
  { fetchedAt, relationship }: { readonly fetchedAt: Date; readonly relationship?: RelationshipRow | undefined },
): User {
  const { note, avatar, header, createdAt, followerCount, followingCount, postCount, locked, bot, fields } = row;
  return {
    ...toPerson(row),
    bio: textOfHtml(note) || undefined,
    avatarUrl: avatar,
    bannerUrl: header,
    createdAt,
    followerCount,
    followingCount,
    postCount,
    verified: 'none',
    protected: locked,
    bot: bot ?? undefined,
    websiteUrl: websiteIn(fields),
    viewer: relationship && { ...relationship.viewer, canDm: !relationship.blockedBy && !relationship.viewer.blocking },
    fetchedAt,
  };
}

/** The website that links back to the account. */
function websiteIn(fields: AccountRow['fields']): string | undefined {
  const proven = fields.find(({ verified_at }) => verified_at !== undefined);
  const addresses = htmlTokens(proven?.value ?? '').flatMap((token) => (token.kind === 'open' ? (token.attributes.get('href') ?? []) : []));
  return addresses.find((one) => /^https?:/u.test(one));
}

/** The relation of the signed-in account to another account. */
export const RelationshipRow = z
  .object({ id, following: flag, requested: flag, notifying: flag, followed_by: flag, blocking: flag, blocked_by: flag })
  .transform(({ id: accountId, following, requested, notifying, followed_by, blocking, blocked_by }) => ({
    id: accountId,
    requested,
    blockedBy: blocked_by,
    viewer: { following, followedBy: followed_by, blocking, notifying },
  }));
export type RelationshipRow = z.output<typeof RelationshipRow>;
