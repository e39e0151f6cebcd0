import type { Person } from '#src/clients/operation/record.ts';
import type { PostConversationFilters } from '#src/clients/social/enumerations.ts';
import type { Media } from '#src/clients/social/records/media.ts';
import type { Place, Poll, Post } from '#src/clients/social/records/post.ts';
import type { User } from '#src/clients/social/records/user.ts';
import type { WorldPerson } from '../world/world.ts';
import { conversationOf, isHidden } from './conversations.ts';
import { mostLikedFirst } from './discovery.ts';
import { hasReacted, whoReacted } from './engagement.ts';
import type { Feed } from './feed.ts';
import { type Page, pageOf } from './paging.ts';
import type { People } from './people.ts';
import type { StoredMedia, StoredPost } from './posts.ts';
import type { Snapshot } from './snapshot.ts';

/** The places that a post can contain. */
const PLACES: readonly Place[] = [
  { id: 'berlin', name: 'Berlin', fullName: 'Berlin, Germany', country: 'Germany', countryCode: 'DE' },
  { id: 'lisbon', name: 'Lisbon', fullName: 'Lisbon, Portugal', country: 'Portugal', countryCode: 'PT' },
  { id: 'nairobi', name: 'Nairobi', fullName: 'Nairobi, Kenya', country: 'Kenya', countryCode: 'KE' },
  { id: 'sao-paulo', name: 'São Paulo', fullName: 'São Paulo, Brazil', country: 'Brazil', countryCode: 'BR' },
  { id: 'seoul', name: 'Seoul', fullName: 'Seoul, South Korea', country: 'South Korea', countryCode: 'KR' },
  { id: 'toronto', name: 'Toronto', fullName: 'Toronto, Canada', country: 'Canada', countryCode: 'CA' },
];

export function findPlace(id: string): Place | undefined {
  return PLACES.find((place) => place.id === id);
}

type Entities = Post['entities'];

/** A URL, or a mention or a hashtag that does not begin inside a word. */
const ENTITY = /(?<url>https?:\/\/[^\s<>"]+)|(?<![\p{L}\p{N}_])(?:@(?<handle>[A-Za-z0-9_]+)|#[\p{L}\p{N}_]*[\p{L}_][\p{L}\p{N}_]*)/gu;
/** Punctuation after a URL belongs to the sentence. */
const TRAILING = /[.,:;!?'")\]}]+$/;

/** The URLs, mentions and hashtags of a text, in order. */
export function entitiesOf(text: string, { people, url: home }: { readonly people: People; readonly url: string }): Entities {
  return [...text.matchAll(ENTITY)].flatMap(({ 0: found, index: start, groups: { url, handle } = {} }): Entities => {
    if (url !== undefined) {
      const address = url.replace(TRAILING, '');
      return [{ type: 'url', start, end: start + address.length, url: address }];
    }
    const end = start + found.length;
    if (handle === undefined) return [{ type: 'hashtag', start, end }];
    const person = byHandle(people, handle);
    return person ? [{ type: 'mention', start, end, url: `${home}/@${person.handle}`, userId: person.id }] : [];
  });
}

/** A mention contains a handle, never an id. */
function byHandle(people: People, handle: string): WorldPerson | undefined {
  const person = people.find(handle);
  return person?.handle === handle.toLowerCase() ? person : undefined;
}

export const PLATFORM = 'sandbox';

/** People with this many followers are verified. */
const LEAST_VERIFIED = 20_000;
const HIGHLIGHTS = 5;

/** A profile as the viewer sees it. A block does not hide it. */
export function toUser(person: WorldPerson, snapshot: Snapshot): User {
  const { people, relations, viewer, now } = snapshot;
  return {
    ...toPerson(person, snapshot),
    bio: person.bio,
    createdAt: person.createdAt,
    followerCount: relations.followersOf(person.id).length,
    followingCount: relations.followingsOf(person.id).length,
    postCount: postsOf(person, snapshot).length,
    verified: person.followerCount >= LEAST_VERIFIED ? 'blue' : 'none',
    protected: people.isProtected(person.id),
    language: person.language,
    pinnedPostIds: pinnedBy(person, snapshot).map(({ id }) => id),
    viewer: viewer && viewer.id !== person.id ? relationOf(viewer, person, snapshot) : undefined,
    fetchedAt: now,
  };
}

/** The visible posts and reposts of a person, newest first. */
export function timelineOf({ id }: WorldPerson, { feed }: Snapshot): readonly StoredPost[] {
  return feed.timelineOf(id);
}

/** The visible posts of a person outside communities, newest first. */
export function postsOf({ id }: WorldPerson, { feed }: Snapshot): readonly StoredPost[] {
  return feed.postsOf(id);
}

/** The highlights of a person: the pinned posts, then the posts with the most likes. */
export function highlightsOf(person: WorldPerson, snapshot: Snapshot): readonly StoredPost[] {
  const pinned = pinnedBy(person, snapshot);
  const first = new Set(pinned.map(({ id }) => id));
  const others = postsOf(person, snapshot).filter(({ id, replyTo }) => replyTo === undefined && !first.has(id));
  return [...pinned, ...mostLikedFirst(others, snapshot).slice(0, HIGHLIGHTS)];
}

/** The latest pinned first. */
function pinnedBy({ id }: WorldPerson, { feed, reactions }: Snapshot): readonly StoredPost[] {
  return reactions.by('pin', id).flatMap(({ postId }) => feed.find(postId) ?? []);
}

/** A person inside another record. */
export function toPerson({ id, handle, displayName }: WorldPerson, { url }: Snapshot): Person {
  return { platform: PLATFORM, id, url: `${url}/@${handle}`, handle, displayName };
}

function relationOf(viewer: WorldPerson, person: WorldPerson, { relations }: Snapshot): NonNullable<User['viewer']> {
  return {
    following: relations.follows(viewer.id, person.id),
    followedBy: relations.follows(person.id, viewer.id),
    blocking: relations.blocks(viewer.id, person.id),
    notifying: relations.notifiedSinceMs(viewer.id, person.id) !== undefined,
    canDm: !relations.parted(viewer.id, person.id),
  };
}

/** The current poll of a post. Generated votes arrive evenly until its end, and votes from the API count at once. */
export function pollOf({ id, poll, createdAtMs }: StoredPost, { now, votes }: Snapshot): Poll | undefined {
  if (!poll) return undefined;
  const { options, endsAtMs, multiple } = poll;
  const elapsed = Math.min(1, Math.max(0, (now.getTime() - createdAtMs) / (endsAtMs - createdAtMs)));
  const recorded = votes.on(id);
  const counts = options.map(
    ({ crowd }, index) => Math.floor(crowd * elapsed) + recorded.filter(({ choices }) => choices.includes(index)).length,
  );
  return {
    id,
    options: options.map(({ label }, index) => ({ index, label, votes: counts[index] })),
    totalVotes: sum(counts),
    // Each generated voter has one vote.
    voters: sum(options.map(({ crowd }) => Math.floor(crowd * elapsed))) + recorded.length,
    endsAt: new Date(endsAtMs),
    closed: now.getTime() >= endsAtMs,
    multiple,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

const AUDIENCES = {
  ByInvitation: 'mentioned',
  Community: 'following',
  Subscribers: 'subscribers',
  Verified: 'verified',
  Followers: 'followers',
  Nobody: 'nobody',
} as const satisfies Record<PostConversationFilters, Post['replyAudience']>;

/** A post as the viewer sees it. A repost has the counts of the original post. */
export function toPost(post: StoredPost, snapshot: Snapshot): Post {
  const { feed, people, url, now } = snapshot;
  const subject = (post.repostOf === undefined ? undefined : feed.find(post.repostOf)) ?? post;
  const author = people.find(post.authorId);
  if (!author) throw new Error(`post ${post.id} has no author`);
  const parent = post.replyTo === undefined ? undefined : feed.find(post.replyTo);
  return {
    platform: PLATFORM,
    id: post.id,
    url: `${url}/posts/${post.id}`,
    author: toPerson(author, snapshot),
    text: post.text,
    warning: post.warning,
    entities: entitiesOf(post.text, snapshot),
    language: post.language,
    createdAt: new Date(post.createdAtMs),
    editedAt: post.editedAtMs === undefined ? undefined : new Date(post.editedAtMs),
    conversationId: conversationOf(subject, feed),
    replyTo: post.replyTo === undefined ? undefined : { postId: post.replyTo, userId: parent?.authorId },
    quoted: post.quote === undefined ? undefined : quotedBy(post.quote, feed),
    repostOf: post.repostOf,
    media: post.media.map((media) => toMedia(media, snapshot)),
    sensitive: post.sensitive,
    poll: pollOf(subject, snapshot),
    place: post.place === undefined ? undefined : findPlace(post.place),
    communityId: subject.community,
    visibility: people.isProtected(author.id) ? 'followers' : 'public',
    replyAudience: post.audience ? AUDIENCES[post.audience] : 'everyone',
    quotable: post.quotable,
    counts: {
      likes: whoReacted('like', subject, snapshot).length,
      reposts: whoReacted('repost', subject, snapshot).length,
      replies: feed.answersTo(subject.id).length,
      quotes: feed.quotesOf(subject.id).length,
      bookmarks: snapshot.bookmarks.count(subject.id),
    },
    viewer: snapshot.viewer && viewerOf(subject, snapshot.viewer, snapshot),
    hidden: isHidden(subject, snapshot) || undefined,
    fetchedAt: now,
  };
}

/** A file of a post with its URL. */
export function toMedia({ id, kind, altText, width, height, sizeBytes }: StoredMedia, { url }: Pick<Snapshot, 'url'>): Media {
  return { id, kind, url: `${url}/media/${id}`, altText, width, height, sizeBytes, state: 'ready' };
}

function quotedBy(postId: string, feed: Feed): NonNullable<Post['quoted']> {
  const quoted = feed.find(postId);
  return quoted ? { postId, state: 'accepted', text: quoted.text, warning: quoted.warning } : { postId, state: 'unavailable' };
}

function viewerOf(post: StoredPost, person: WorldPerson, snapshot: Snapshot): NonNullable<Post['viewer']> {
  const { reactions, bookmarks } = snapshot;
  return {
    liked: hasReacted('like', { person, post }, snapshot),
    reposted: hasReacted('repost', { person, post }, snapshot),
    bookmarked: bookmarks.has(person.id, post.id),
    pinned: reactions.find('pin', { userId: person.id, postId: post.id }) ?? false,
  };
}

export function postsPage(posts: readonly StoredPost[], cursor: string | undefined, snapshot: Snapshot): Page<Post> {
  const page = pageOf(posts, cursor);
  return { ...page, items: page.items.map((post) => toPost(post, snapshot)) };
}

/** A page of the people with these ids. */
export function usersPage(ids: readonly string[], cursor: string | undefined, snapshot: Snapshot): Page<User> {
  const items = ids.map((id) => ({ id }));
  const page = pageOf(items, cursor);
  const people = page.items.flatMap(({ id }) => snapshot.people.find(id) ?? []);
  return { ...page, items: people.map((person) => toUser(person, snapshot)) };
}
