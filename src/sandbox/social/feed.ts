import type { Chatter } from './chatter.ts';
import type { WrittenPost, WrittenPosts, StoredPost } from './posts.ts';

/** The posts that reads show to one viewer at one instant: `visibleTo` has left out what is hidden from them. */
export interface Feed {
  /** Newest first. */
  all(): readonly StoredPost[];
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
}

/** What people have written until `nowMs`, as far as it shows. */
export function feedAt(nowMs: number, { written, chatter, visible }: FeedSources): Feed {
  const shows = ({ visibleAtMs, deletedAtMs }: WrittenPost): boolean => deletedAtMs === undefined && visibleAtMs <= nowMs;
  let posts: readonly StoredPost[] | undefined;
  let answers: ReadonlyMap<string | undefined, readonly StoredPost[]> | undefined;
  let quotes: ReadonlyMap<string | undefined, readonly StoredPost[]> | undefined;

  function all(): readonly StoredPost[] {
    return (posts ??= [...written.all().filter(shows), ...chatter.at(nowMs)].filter(visible).toSorted(byTime));
  }

  return {
    all,
    answersTo: (id) => (answers ??= Map.groupBy(all().toReversed(), ({ replyTo }) => replyTo)).get(id) ?? [],
    quotesOf: (id) => (quotes ??= Map.groupBy(all(), ({ quote }) => quote)).get(id) ?? [],

    find(id) {
      const own = written.find(id);
      const post = own ? shows(own) && own : chatter.find(id, nowMs);
      return post && visible(post) ? post : undefined;
    },
  };
}

/** Newest first, and always the same order. */
function byTime(a: StoredPost, b: StoredPost): number {
  return b.createdAtMs - a.createdAtMs || b.id.localeCompare(a.id, 'en', { numeric: true });
}
