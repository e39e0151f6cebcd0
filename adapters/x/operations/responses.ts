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
    const asking = { path: '/2/tweets/:id/quote_tweets', params: { id: postIdOf(post) } } as const;
    const query = { max_results: MOST_ROWS, pagination_token: cursor };
    const { answer, fetchedAt } = await api.read(Quotes, { ...asking, query, fields: AUTHOR_FIELDS, signal });
    const { data, includes } = answer;
    const authors = [...new Set(data.flatMap(({ author_id: id }) => id ?? []))];
    const about = { fetchedAt, watched: await watched() };
    const rows = authors.flatMap((id) => includes.users.get(id) ?? []);
    // The current names of X have no pinned posts for authors that an expansion adds.
    const items = rows.map((row) => ({ ...toUser(row, about), ...(row.pinned === undefined && { pinnedPostIds: undefined }) }));
    return { items, scanned: data.length, cursor: answer.cursor, partialErrors: partsOf(answer, asking) };
  };
}

/** The replies to a post: the posts of its conversation in the last seven days, as threads. */
export function postComments(readers: Readers, budgets: XBudgets | undefined): Primitives['getPostComments'] {
  return async ({ post }, { signal }) => {
    const operation = 'getPostComments';
    const budget = openPageBudget(operation, budgets, { kind: 'post', ...SEARCH_ROWS });
    const firstVersions = new Map<string, string>();
    const noting: Pick<Readers, 'api' | 'onPost'> = {
      api: readers.api,
      onPost(row) {
        readers.onPost?.(row);
        for (const version of row.versions) firstVersions.set(version, row.versions[0] ?? version);
      },
    };
    const { id, conversationId = id } = await readPost(noting, postIdOf(post), signal);
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
      const page = await readPosts(noting, asking, { cursor, signal });
      budget.pay('post', page.items.length);
      found.push(...page.items);
      cursor = page.cursor === cursor ? undefined : page.cursor;
    } while (cursor !== undefined);

    return { items: threadsBelow(id, found, (version) => firstVersions.get(version) ?? version), scanned: found.length, approximate };
  };
}

/**
 * The direct replies to the post, newest first, each with its replies, oldest first. A reply names the version that it answers, so an edited post has
 * the replies to all its versions.
 */
function threadsBelow(postId: string, posts: readonly Post[], firstVersionOf: (version: string) => string): readonly ConversationThread[] {
  const answers = Map.groupBy(posts, ({ replyTo }) => replyTo && firstVersionOf(replyTo.postId));

  function below(root: Post, depth: number, seen: ReadonlySet<string>): ConversationThread['replies'] {
    const id = firstVersionOf(root.id);
    if (seen.has(id)) return [];
    const path = new Set([...seen, id]);
    const inOrder = answers.get(id)?.toSorted(byIdDescending).toReversed() ?? [];
    return inOrder.flatMap((post) => [{ depth, post }, ...below(post, depth + 1, path)]);
  }

  const first = firstVersionOf(postId);
  const roots = answers.get(first)?.toSorted(byIdDescending) ?? [];
  return roots.map((root) => ({ id: firstVersionOf(root.id), root, replies: below(root, 1, new Set([first])) }));
}
