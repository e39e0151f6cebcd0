import type { Chatter } from './chatter.ts';
import { answersBelow, findAnswer } from './crowd/answers.ts';
import type { Audience } from './crowd/who-reacted.ts';
import { findRepost, repostsOf } from './reposts.ts';
import { isOnTimeline } from './visibility.ts';
import type { WrittenPost, WrittenPosts, StoredPost } from './posts.ts';

/** The posts that reads show to one viewer at one instant: `visibleTo` has left out what is hidden from them. */
export interface Feed {
  /** Newest first. */
  all(): readonly StoredPost[];
  /** What stands outside of communities, and what was passed on, each as an item of its own; newest first. */
  timeline(): readonly StoredPost[];
  /** What somebody wrote outside of communities, and passed on; newest first. */
  timelineOf(personId: string): readonly StoredPost[];
  /** Finds reposts, too. */
  find(id: string): StoredPost | undefined;
  /** What answers a post, oldest first. */
  answersTo(id: string): readonly StoredPost[];
  /** What shows a post, newest first. */
  quotesOf(id: string): readonly StoredPost[];
}

export interface FeedSources {
  readonly written: WrittenPosts;
  readonly chatter: Chatter;
  /** Whether blocks and privacy let the viewer see a post. */
  readonly visible: (post: StoredPost) => boolean;
  readonly audience: Audience;
}

/** What people have written until now, as far as it shows. */
export function feedOf({ written, chatter, visible, audience }: FeedSources): Feed {
  const { people, relations } = audience;
  const nowMs = audience.now.getTime();
  const shows = ({ visibleAtMs, deletedAtMs }: WrittenPost): boolean => deletedAtMs === undefined && visibleAtMs <= nowMs;
  let posts: readonly StoredPost[] | undefined;
  let passedOn: readonly StoredPost[] | undefined;
  let answers: ReadonlyMap<string | undefined, readonly StoredPost[]> | undefined;
  let quotes: ReadonlyMap<string | undefined, readonly StoredPost[]> | undefined;

  function all(): readonly StoredPost[] {
    return (posts ??= [...brought(), ...chatter.at(nowMs)].filter(visible).toSorted(byTime));
  }

  /** What came through the API, and what people answered to it. */
  function brought(): readonly StoredPost[] {
    const standing = written.all().filter(shows);
    return [...standing, ...standing.flatMap((post) => answersBelow(post, { people, relations, nowMs }))];
  }

  function findWritten(id: string): WrittenPost | undefined {
    const post = written.find(id);
    return post && shows(post) ? post : undefined;
  }

  /** A post that is no repost. */
  function findPost(id: string): StoredPost | undefined {
    const post = findWritten(id) ?? chatter.find(id, nowMs) ?? findAnswer(id, findWritten, { people, relations, nowMs });
    return post && visible(post) ? post : undefined;
  }

  function timeline(): readonly StoredPost[] {
    const reposts = (): readonly StoredPost[] => all().flatMap((post) => repostsOf(post, audience));
    return (passedOn ??= [...all().filter(isOnTimeline), ...reposts().filter(visible)].toSorted(byTime));
  }

  /** The timeline of the account that writes through the API: other people's posts and reposts need not be made for it. */
  function ownTimeline(id: string): readonly StoredPost[] {
    const posted = written.all().filter((post) => post.authorId === id && shows(post) && isOnTimeline(post));
    const reposts = audience.reactions.by('repost', id).flatMap(({ number }) => findRepost(`repost-${number}`, findPost, audience) ?? []);
    return [...posted, ...reposts].filter(visible).toSorted(byTime);
  }

  return {
    all,
    timeline,
    timelineOf: (id) =>
      people.others.some((person) => person.id === id) ? timeline().filter(({ authorId }) => authorId === id) : ownTimeline(id),
    answersTo: (id) => (answers ??= Map.groupBy(all().toReversed(), ({ replyTo }) => replyTo)).get(id) ?? [],
    quotesOf: (id) => (quotes ??= Map.groupBy(all(), ({ quote }) => quote)).get(id) ?? [],

    find(id) {
      const post = findPost(id) ?? findRepost(id, findPost, audience);
      return post && visible(post) ? post : undefined;
    },
  };
}

/** Newest first, and always the same order. */
function byTime(a: StoredPost, b: StoredPost): number {
  return b.createdAtMs - a.createdAtMs || b.id.localeCompare(a.id, 'en', { numeric: true });
}
