import type { ConversationThread, Post } from '#src/clients/social/records/post.ts';
import { WAYS } from '../auth/access.ts';
import { openPageBudget, type XBudgets } from '../budgets.ts';
import type { Primitives } from '../client.ts';
import { MOST_ROWS, type Readers, readPosts, readUsers } from '../pages.ts';
import { listOf, partsOf } from '../wire/envelope.ts';
import { AUTHOR_FIELDS } from '../wire/fields.ts';
import { byIdDescending } from '../wire/parts.ts';
import { PostRow } from '../wire/post-row.ts';
import { toUser } from '../wire/user.ts';
import { postIdOf, readPost } from './read-post.ts';
import { RECENT, SEARCH_ROWS } from './search.ts';

/** The users who like a post. X shows them for posts of the account only. */
export function postLikes(readers: Readers): Primitives['getPostLikes'] {
  return ({ post }, options) =>
    readUsers(readers, { path: '/2/tweets/:id/liking_users', params: { id: postIdOf(post) }, ways: WAYS.user }, options);
}

/** The users who reposted a post. */
export function postReposts(readers: Readers): Primitives['getPostReposts'] {
  return ({ post }, options) => readUsers(readers, { path: '/2/tweets/:id/retweeted_by', params: { id: postIdOf(post) } }, options);
}

const Quotes = listOf(PostRow);

/** The users who quoted a post, each once. X lists the quotes with their authors. */
export function postQuotes({ api, watched }: Readers): Primitives['getPostQuotes'] {
  return async ({ post }, { cursor, signal }) => {
    const { answer, fetchedAt } = await api.read(Quotes, {
      path: '/2/tweets/:id/quote_tweets',
      params: { id: postIdOf(post) },
      query: { max_results: MOST_ROWS, pagination_token: cursor },
      fields: AUTHOR_FIELDS,
      signal,
    });
    const { data, includes } = answer;
    const authors = [...new Set(data.flatMap(({ author_id: id }) => id ?? []))];
    const about = { fetchedAt, watched: await watched() };
    const rows = authors.flatMap((id) => includes.users.get(id) ?? []);
    // The current names of X have no pinned posts for authors that an expansion adds.
    const items = rows.map((row) => ({ ...toUser(row, about), ...(row.pinned === undefined && { pinnedPostIds: undefined }) }));
    return { items, scanned: data.length, cursor: answer.cursor, partialErrors: partsOf(answer) };
  };
}

/** The replies to a post: the posts of its conversation in the last seven days, as threads. */
export function postComments(readers: Readers, budgets: XBudgets | undefined): Primitives['getPostComments'] {
  return async ({ post }, { signal }) => {
    const operation = 'getPostComments';
    const budget = openPageBudget(operation, budgets, { kind: 'post', ...SEARCH_ROWS });
    const { id, conversationId = id } = await readPost(readers, postIdOf(post), signal);
    budget.pay('post', 1);

    const query = { query: `conversation_id:${conversationId}`, sort_order: 'recency' };
    const found: Post[] = [];
    let cursor: string | undefined;
    let approximate = false;
    do {
      const rows = budget.rowsOf('post', SEARCH_ROWS);
      // Without the rest of the conversation, the parents of the found replies are unknown.
      if (rows === undefined) {
        approximate = true;
        break;
      }
      const asking = { path: RECENT, query: { ...query, max_results: rows }, cursorName: 'next_token' } as const;
      const page = await readPosts(readers, asking, { cursor, signal });
      budget.pay('post', page.items.length);
      found.push(...page.items);
      cursor = page.cursor === cursor ? undefined : page.cursor;
    } while (cursor !== undefined);

    return { items: threadsBelow(id, found), scanned: found.length, approximate };
  };
}

/** The direct replies to the post, newest first, each with its replies, oldest first. */
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
