import { type Feed, isOnTimeline } from '../social/feed.ts';
import type { Snapshot } from '../social/snapshot.ts';
import { byTime, type StoredPost } from '../social/posts.ts';
import { repliesTo, type DirectPost } from './direct-posts.ts';
import type { MastodonState } from './state.ts';
import { canRead, isRestricted, mentionedIn, visibilityOf } from './visibility.ts';

/** The feed of a snapshot without communities, with direct posts, and with the visibility of each status. */
export function mastodonFeed({ feed, viewer, relations, now }: Snapshot, state: MastodonState): Feed {
  const nowMs = now.getTime();
  let posts: readonly StoredPost[] | undefined;
  let timelineItems: readonly StoredPost[] | undefined;
  let direct: ReadonlyMap<string, StoredPost> | undefined;
  let byAuthor: ReadonlyMap<string, readonly StoredPost[]> | undefined;
  let answers: ReadonlyMap<string | undefined, readonly StoredPost[]> | undefined;
  let quotes: ReadonlyMap<string | undefined, readonly StoredPost[]> | undefined;

  const shows = (post: StoredPost): boolean => isOnTimeline(post) && canRead(viewer, post, state, relations);
  /** Nobody reacts to a post that only few people can read. */
  const withReactions = (post: StoredPost): StoredPost =>
    isRestricted(post, state) && state.statuses.has(post.id) ? { ...post, likes: 0, reposts: 0 } : post;

  function directPosts(): ReadonlyMap<string, StoredPost> {
    return (direct ??= new Map(readableDirectPosts().map((post) => [post.id, post])));
  }

  function readableDirectPosts(): readonly StoredPost[] {
    return [...state.openings, ...repliesTo(writtenDirectPosts(), nowMs)].filter((post) => canRead(viewer, post, state, relations));
  }

  function writtenDirectPosts(): readonly DirectPost[] {
    const standing = state.core.written
      .all()
      .filter((post) => post.deletedAtMs === undefined && post.visibleAtMs <= nowMs && visibilityOf(post, state) === 'direct');
    const byId = new Map(standing.map((post) => [post.id, post]));
    const parentOf = (id: string | undefined): string => id?.replace(/^reply-/, 'own-') ?? '';
    return standing.map((post) => {
      let root = post;
      for (let above = byId.get(parentOf(root.replyTo)); above; above = byId.get(parentOf(root.replyTo))) root = above;
      return { post, root: root.replyTo ?? root.id, readers: [post.authorId, ...mentionedIn(post.text, state)] };
    });
  }

  function all(): readonly StoredPost[] {
    return (posts ??= [...feed.all().filter(shows).map(withReactions), ...directPosts().values()].toSorted(byTime));
  }

  /** Generated reposts of restricted posts are left out. */
  function onTimeline(items: readonly StoredPost[]): readonly StoredPost[] {
    const isAllowed = (post: StoredPost): boolean =>
      post.repostOf === undefined || !isRestricted(post, state) || /^repost-\d+$/.test(post.id);
    return items.filter((post) => shows(post) && isAllowed(post)).map(withReactions);
  }

  return {
    all,
    postsOf: (id) => (byAuthor ??= Map.groupBy(all().filter(isOnTimeline), ({ authorId }) => authorId)).get(id) ?? [],
    timeline: () => (timelineItems ??= onTimeline(feed.timeline())),
    timelineOf: (id) => onTimeline(feed.timelineOf(id)),
    answersTo: (id) => (answers ??= Map.groupBy(all().toReversed(), ({ replyTo }) => replyTo)).get(id) ?? [],
    quotesOf: (id) => (quotes ??= Map.groupBy(all(), ({ quote }) => quote)).get(id) ?? [],
    find(id) {
      const post = feed.find(id);
      return directPosts().get(id) ?? (post && shows(post) ? withReactions(post) : undefined);
    },
  };
}
