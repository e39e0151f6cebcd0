import type { Trends } from '#src/clients/social/records/discovery.ts';
import { memoize } from '#src/clients/operation/memoize.ts';
import type { WorldGame, WorldPerson } from '../world/world.ts';
import { likesInTheEnd } from './engagement.ts';
import type { Feed } from './feed.ts';
import { fold, hashtagOf, hashtagsIn, spelledHashtagsIn } from './hashtags.ts';
import type { StoredPost } from './posts.ts';
import type { Snapshot } from './snapshot.ts';

/** Whether a post contains a word or a phrase, or the exact hashtag if the keyword begins with #. */
export function matchesKeyword({ text }: Pick<StoredPost, 'text'>, keyword: string): boolean {
  const wanted = fold(keyword);
  return wanted.startsWith('#') ? hashtagsIn(text).has(wanted) : fold(text).includes(wanted);
}

/** Whether the name or the bio of a person contains the keyword. */
export function personMatching(keyword: string): (person: WorldPerson) => boolean {
  const wanted = fold(keyword.replace(/^@/, ''));
  return (person) => foldedTextsOf(person).some((text) => text.includes(wanted));
}

const foldedTextsOf = memoize(({ handle, displayName, bio }: WorldPerson): readonly string[] => [handle, displayName, bio].map(fold));

/** People by their followers, descending. */
export function mostFollowedFirst(people: readonly WorldPerson[], { relations }: Pick<Snapshot, 'relations'>): readonly WorldPerson[] {
  const counted = people.map((person) => ({ person, followers: relations.followersOf(person.id).length }));
  return counted.toSorted((a, b) => b.followers - a.followers).map(({ person }) => person);
}

/** Posts by their final number of likes, then by time, both descending. */
export function mostLikedFirst(posts: readonly StoredPost[], snapshot: Snapshot): readonly StoredPost[] {
  const counted = posts.map((post) => ({ post, likes: likesInTheEnd(post, snapshot) }));
  return counted.toSorted((a, b) => b.likes - a.likes || b.post.createdAtMs - a.post.createdAtMs).map(({ post }) => post);
}

const TRENDS = 20;
const DAY_MS = 86_400_000;

interface Counted {
  /** In the spelling of the newest post. */
  readonly name: string;
  readonly posts: number;
}

/** The most frequent hashtags in the visible posts of the last day. */
export function trendsAt({ feed, now }: Snapshot): readonly Trends[] {
  const counts = new Map<string, Counted>();
  for (const { text } of feed.all().filter(({ createdAtMs }) => createdAtMs > now.getTime() - DAY_MS)) {
    const named = new Map(spelledHashtagsIn(text).map((name) => [fold(name), name]));
    for (const [tag, name] of named) {
      const known = counts.get(tag);
      counts.set(tag, { name: known?.name ?? name, posts: (known?.posts ?? 0) + 1 });
    }
  }
  return [...counts]
    .toSorted(([tag, a], [other, b]) => b.posts - a.posts || tag.localeCompare(other))
    .slice(0, TRENDS)
    .map(([, { name, posts }], index) => ({ rank: index + 1, name, kind: 'hashtag', postCount: posts }));
}

/** A topic: a hashtag with posts. */
export interface StoredTopic {
  /** The normalized hashtag without #. */
  readonly id: string;
  /** With #. */
  readonly name: string;
  readonly game: WorldGame | undefined;
}

/** The topic of a hashtag, with or without #. Every game has a topic, and every hashtag with posts. */
export function findTopic(nameOrTag: string, { games, feed }: Pick<Snapshot, 'games' | 'feed'>): StoredTopic | undefined {
  const tag = `#${fold(nameOrTag).replace(/^#/, '')}`;
  const id = tag.slice(1);
  const game = games.find((each) => fold(hashtagOf(each)) === tag);
  if (game) return { id, name: hashtagOf(game), game };
  return postsAbout({ id }, feed).length > 0 ? { id, name: tag, game } : undefined;
}

/** The posts with a topic's hashtag, newest first. */
export function postsAbout({ id }: Pick<StoredTopic, 'id'>, feed: Feed): readonly StoredPost[] {
  return feed.all().filter(({ text }) => hashtagsIn(text).has(`#${id}`));
}

const SUGGESTED = 20;

/** People to follow: the people whom most followings of a person follow, then the people with the most followers. */
export function suggestionsFor({ id }: WorldPerson, { people, relations }: Snapshot): readonly WorldPerson[] {
  const known = new Map<string, number>();
  for (const followed of relations.followingsOf(id)) {
    for (const other of relations.followingsOf(followed)) known.set(other, (known.get(other) ?? 0) + 1);
  }
  const candidates = people.all.filter(
    (person) => person.id !== id && !relations.follows(id, person.id) && !relations.parted(id, person.id) && !people.isProtected(person.id),
  );
  const weightOf = (person: WorldPerson): number => known.get(person.id) ?? 0;
  return candidates.toSorted((a, b) => weightOf(b) - weightOf(a) || b.followerCount - a.followerCount).slice(0, SUGGESTED);
}
