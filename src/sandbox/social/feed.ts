import type { Chatter } from './chatter.ts';
import type { WrittenPost, WrittenPosts, StoredPost } from './posts.ts';

/** The posts that reads show at one instant. */
export interface Feed {
  /** Newest first. */
  all(): readonly StoredPost[];
  find(id: string): StoredPost | undefined;
}

/** What the account and the people have written until `nowMs`, as far as it shows. */
export function feedAt(nowMs: number, { written, chatter }: { readonly written: WrittenPosts; readonly chatter: Chatter }): Feed {
  const shows = ({ visibleAtMs, deletedAtMs }: WrittenPost): boolean => deletedAtMs === undefined && visibleAtMs <= nowMs;
  let all: readonly StoredPost[] | undefined;

  return {
    all: () => (all ??= [...written.all().filter(shows), ...chatter.at(nowMs)].toSorted(byTime)),

    find(id) {
      const post = written.find(id);
      if (!post) return chatter.find(id, nowMs);
      return shows(post) ? post : undefined;
    },
  };
}

/** Newest first, and always the same order. */
function byTime(a: StoredPost, b: StoredPost): number {
  return b.createdAtMs - a.createdAtMs || b.id.localeCompare(a.id, 'en', { numeric: true });
}
