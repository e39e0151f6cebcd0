import type { Person } from '#src/operation/record.ts';
import type { User } from '#src/social/records/user.ts';
import type { WorldPerson } from '../world/world.ts';
import type { Moment } from './moment.ts';
import { mostLikedFirst } from './most-liked.ts';
import type { StoredPost } from './posts.ts';
import { isOnTimeline } from './visibility.ts';

export const PLATFORM = 'sandbox';

/** Who has so many followers elsewhere is known to be who they say. */
const LEAST_VERIFIED = 20_000;
const HIGHLIGHTS = 5;

/** Somebody's profile, as whoever asks sees it: also where a block stands between the two. */
export function toUser(person: WorldPerson, moment: Moment): User {
  const { people, relations, viewer, now } = moment;
  return {
    ...toPerson(person, moment),
    bio: person.bio,
    createdAt: person.createdAt,
    followerCount: relations.followersOf(person.id).length,
    followingCount: relations.followingsOf(person.id).length,
    postCount: postsOf(person, moment).length,
    verified: person.followerCount >= LEAST_VERIFIED ? 'blue' : 'none',
    protected: people.isProtected(person.id),
    language: person.language,
    pinnedPostIds: pinnedBy(person, moment).map(({ id }) => id),
    viewer: viewer && viewer.id !== person.id ? relationOf(viewer, person, moment) : undefined,
    fetchedAt: now,
  };
}

/** What somebody wrote or passed on as far as the viewer sees it, newest first. */
export function timelineOf({ id }: WorldPerson, { feed }: Moment): readonly StoredPost[] {
  return feed.timelineOf(id);
}

/** What somebody wrote as far as the viewer sees it, newest first; what stands in communities alone is left out. */
export function postsOf({ id }: WorldPerson, { feed }: Moment): readonly StoredPost[] {
  return feed.all().filter((post) => post.authorId === id && isOnTimeline(post));
}

/** What somebody shows off: what they pinned, then those of their posts that most people like. */
export function highlightsOf(person: WorldPerson, moment: Moment): readonly StoredPost[] {
  const pinned = pinnedBy(person, moment);
  const first = new Set(pinned.map(({ id }) => id));
  const others = postsOf(person, moment).filter(({ id, replyTo }) => replyTo === undefined && !first.has(id));
  return [...pinned, ...mostLikedFirst(others, moment).slice(0, HIGHLIGHTS)];
}

/** The latest pinned first. */
function pinnedBy({ id }: WorldPerson, { feed, reactions }: Moment): readonly StoredPost[] {
  return reactions.by('pin', id).flatMap(({ postId }) => feed.find(postId) ?? []);
}

/** Somebody inside another record. */
export function toPerson({ id, handle, displayName }: WorldPerson, { url }: Moment): Person {
  return { platform: PLATFORM, id, url: `${url}/@${handle}`, handle, displayName };
}

function relationOf(viewer: WorldPerson, person: WorldPerson, { relations }: Moment): NonNullable<User['viewer']> {
  return {
    following: relations.follows(viewer.id, person.id),
    followedBy: relations.follows(person.id, viewer.id),
    blocking: relations.blocks(viewer.id, person.id),
    notifying: relations.notifiedSinceMs(viewer.id, person.id) !== undefined,
    canDm: !relations.parted(viewer.id, person.id),
  };
}
