import type { ConversationThread, Post } from '#src/social/records/post.ts';
import type { Primitives } from '../api.ts';
import { purseFor, type XBudgets } from '../budgets.ts';
import { MOST_ROWS, readPosts, type Readers } from '../pages.ts';
import { RECENT } from '../search.ts';
import { byIdDescending } from '../wire/parts.ts';
import { readPost } from './detail.ts';
import { postIdOf } from './post-id.ts';

/** What a search takes as the number of its rows. */
export const SEARCH_ROWS = { least: 10, most: MOST_ROWS } as const;

/** The answers to a post: the posts of its conversation of the last seven days, put together. */
export function postComments(readers: Readers, budgets: XBudgets | undefined): Primitives['getPostComments'] {
  return async ({ post }, { signal }) => {
    const operation = 'getPostComments';
    const purse = purseFor(operation, budgets, { kind: 'post', ...SEARCH_ROWS });
    const { id, conversationId = id } = await readPost(readers, postIdOf(post), signal);
    purse.pay('post', 1);

    const query = { query: `conversation_id:${conversationId}`, sort_order: 'recency' };
    const found: Post[] = [];
    let cursor: string | undefined;
    let approximate = false;
    do {
      const rows = purse.rowsOf('post', SEARCH_ROWS);
      // Without the rest of it nobody knows below what the answers stand that were found.
      if (rows === undefined) {
        approximate = true;
        break;
      }
      const asking = { path: RECENT, query: { ...query, max_results: rows }, cursorName: 'next_token' } as const;
      const page = await readPosts(readers, asking, { cursor, signal });
      purse.pay('post', page.items.length);
      found.push(...page.items);
      cursor = page.cursor === cursor ? undefined : page.cursor;
    } while (cursor !== undefined);

    return { items: threadsBelow(id, found), scanned: found.length, approximate };
  };
}

/** The answers to the post, the latest first, each with what was said below it in its order. */
function threadsBelow(postId: string, posts: readonly Post[]): readonly ConversationThread[] {
  const answers = Map.groupBy(posts, ({ replyTo }) => replyTo?.postId);

  function below(root: Post, depth: number, seen: ReadonlySet<string>): ConversationThread['replies'] {
    if (seen.has(root.id)) return [];
    const path = new Set([...seen, root.id]);
    const inOrder = answers.get(root.id)?.toSorted(byIdDescending).toReversed() ?? [];
    return inOrder.flatMap((post) => [{ depth, post }, ...below(post, depth + 1, path)]);
  }

  const roots = answers.get(postId)?.toSorted(byIdDescending) ?? [];
  return roots.map((root) => ({ id: root.id, root, replies: below(root, 1, new Set([postId])) }));
}
