import type { Account } from '../account.ts';
import type { Primitives } from '../platform.ts';
import { POST, requirePostView } from '../reading/post-views.ts';
import { toPost } from '../wire/post.ts';

/** How posts do. */
export function insight(account: Account): Pick<Primitives, 'getPostAnalytics' | 'postEditHistory'> {
  const { names, now } = account;

  return {
    async getPostAnalytics({ post }, { signal }) {
      const view = await requirePostView(account, await names.placeOf(post, [POST], signal), { signal });
      const { id, counts, fetchedAt } = toPost(view, now());
      const { likes, reposts, replies, quotes, bookmarks } = counts;
      return { postId: id, likes, reposts, replies, quotes, bookmarks, completeness: 'public_only', fetchedAt };
    },

    async postEditHistory({ identifier }, { signal }) {
      const view = await requirePostView(account, await names.placeOf(identifier, [POST], signal), { signal });
      const { id, text, createdAt, media } = toPost(view, now());
      return { postId: id, versions: [{ text, createdAt, media }], complete: true };
    },
  };
}
