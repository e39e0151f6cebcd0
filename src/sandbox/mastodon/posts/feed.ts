import type { Feed } from '../../social/feed.ts';
import type { StoredPost } from '../../social/posts.ts';
import type { Relations } from '../../social/relations.ts';
import { isOnTimeline } from '../../social/visibility.ts';
import type { WorldPerson } from '../../world/world.ts';
import type { Ground } from '../ground.ts';
import { repliesTo, type DirectPost } from './letters.ts';
import { mayRead, mentionedIn, visibilityOf } from './visibility.ts';

export interface MastodonFeedOptions {
  readonly ground: Ground;
  readonly viewer: WorldPerson | undefined;
  readonly relations: Relations;
  readonly nowMs: number;
}

/** A feed as Mastodon has it: without communities, with what was written for few, and everything only for those whom it is for. */
export function mastodonFeed(feed: Feed, options: MastodonFeedOptions): Feed {
  const { ground, viewer, relations, nowMs } = options;
  let posts: readonly StoredPost[] | undefined;
  let passedOn: readonly StoredPost[] | undefined;
  let direct: ReadonlyMap<string, StoredPost> | undefined;
  let answers: ReadonlyMap<string | undefined, readonly StoredPost[]> | undefined;
  let quotes: ReadonlyMap<string | undefined, readonly StoredPost[]> | undefined;

  const shows = (post: StoredPost): boolean => isOnTimeline(post) && mayRead(viewer, post, ground, relations);
  const isForFew = (post: StoredPost): boolean => ['private', 'direct'].includes(visibilityOf(post, ground));
  /** Nobody comes by who cannot read it. */
  const quiet = (post: StoredPost): StoredPost => (isForFew(post) && ground.facts.find(post.id) ? { ...post, likes: 0, reposts: 0 } : post);

  function letters(): ReadonlyMap<string, StoredPost> {
    if (direct) return direct;
    const found = [...ground.letters, ...repliesTo(directPosts(), nowMs)].filter((post) => mayRead(viewer, post, ground, relations));
    return (direct = new Map(found.map((post) => [post.id, post])));
  }

  function directPosts(): readonly DirectPost[] {
    const standing = ground.stage.written
      .all()
      .filter((post) => post.deletedAtMs === undefined && post.visibleAtMs <= nowMs && visibilityOf(post, ground) === 'direct');
    const byId = new Map(standing.map((post) => [post.id, post]));
    const parentOf = (id: string | undefined): string | undefined => id?.replace(/^reply-/, 'own-');
    return standing.map((post) => {
      let root = post;
      for (let above = byId.get(parentOf(root.replyTo) ?? ''); above; above = byId.get(parentOf(root.replyTo) ?? '')) root = above;
      return { post, root: root.replyTo ?? root.id, readers: [post.authorId, ...mentionedIn(post.text, ground)] };
    });
  }

  function all(): readonly StoredPost[] {
    return (posts ??= [...feed.all().filter(shows).map(quiet), ...letters().values()].toSorted(byTime));
  }

  /** Reposts of posts for few are left out, except those that were made through the API. */
  function onTimeline(items: readonly StoredPost[]): readonly StoredPost[] {
    const said = (post: StoredPost): boolean => post.repostOf === undefined || !isForFew(post) || /^repost-\d+$/.test(post.id);
    return items.filter((post) => shows(post) && said(post)).map(quiet);
  }

  return {
    all,
    timeline: () => (passedOn ??= onTimeline(feed.timeline())),
    timelineOf: (id) => onTimeline(feed.timelineOf(id)),
    answersTo: (id) => (answers ??= Map.groupBy(all().toReversed(), ({ replyTo }) => replyTo)).get(id) ?? [],
    quotesOf: (id) => (quotes ??= Map.groupBy(all(), ({ quote }) => quote)).get(id) ?? [],

    find(id) {
      const letter = letters().get(id);
      if (letter) return letter;
      const post = feed.find(id);
      return post && shows(post) ? quiet(post) : undefined;
    },
  };
}

/** Newest first, and always the same order. */
function byTime(a: StoredPost, b: StoredPost): number {
  return b.createdAtMs - a.createdAtMs || b.id.localeCompare(a.id, 'en', { numeric: true });
}
