import { z } from 'zod';
import type { Topic, UserList } from '#src/social/records/gathering.ts';
import { feedUrl, listUrl } from '../addresses.ts';
import { placeOf } from '../at-uri.ts';
import { PLATFORM } from '../platform.ts';
import { maybeCount, maybeInstant, maybeText } from './parts.ts';
import { Profile, toPerson } from './profile.ts';

/** People whom somebody put together. */
export const ListView = z.object({
  uri: z.string().startsWith('at://'),
  creator: Profile,
  name: z.string(),
  description: maybeText,
  listItemCount: maybeCount,
  indexedAt: maybeInstant,
});
export type ListView = z.output<typeof ListView>;

export function toUserList({ uri, creator, name, description, listItemCount, indexedAt }: ListView, fetchedAt: Date): UserList {
  return {
    platform: PLATFORM,
    id: uri,
    url: listUrl(creator, placeOf(uri)?.rkey ?? ''),
    name,
    description,
    owner: toPerson(creator),
    visibility: 'public',
    memberCount: listItemCount,
    createdAt: indexedAt,
    fetchedAt,
  };
}

/** A feed that somebody made. */
export const FeedView = z.object({
  uri: z.string().startsWith('at://'),
  creator: Profile,
  displayName: z.string(),
  description: maybeText,
});

export function toFeedTopic({ uri, creator, displayName, description }: z.output<typeof FeedView>, fetchedAt: Date): Topic {
  return {
    platform: PLATFORM,
    id: uri,
    url: feedUrl(creator, placeOf(uri)?.rkey ?? ''),
    kind: 'feed',
    name: displayName,
    description,
    fetchedAt,
  };
}
