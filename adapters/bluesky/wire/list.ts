import { z } from 'zod';
import type { Topic, UserList } from '#src/clients/social/records/discovery.ts';
import { feedUrl, listUrl, parseRecordUri } from '../addresses.ts';
import { PLATFORM } from '../errors.ts';
import { maybeCount, maybeInstant, maybeText } from './parts.ts';
import { Profile, toPerson } from './profile.ts';

/** A list of people. */
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
    url: listUrl(creator, parseRecordUri(uri)?.rkey ?? ''),
    name,
    description,
    owner: toPerson(creator),
    visibility: 'public',
    memberCount: listItemCount,
    createdAt: indexedAt,
    fetchedAt,
  };
}

/** A feed with an algorithm. */
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
    url: feedUrl(creator, parseRecordUri(uri)?.rkey ?? ''),
    kind: 'feed',
    name: displayName,
    description,
    fetchedAt,
  };
}
