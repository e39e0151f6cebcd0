import type { ConversationThread, Post } from '#src/clients/social/records/post.ts';
import { MOST } from '../client.ts';
import type { AccountContext, Primitives } from '../account-context.ts';
import { API_VERSIONS } from '../instance.ts';
import { ContextRow, StatusRow, toPost } from '../wire/status.ts';
import { unsupportedByServer, usersPage } from './users.ts';

type Responses = Pick<Primitives, 'getPostLikes' | 'getPostReposts' | 'getPostQuotes' | 'getPostComments'>;

/** Likes, boosts, quotes and replies of a post. */
export function responsesOperations(context: AccountContext): Responses {
  const { api, accounts, instances, statuses } = context;
  const pathOf = async (post: string, list: string, signal: AbortSignal | undefined): Promise<string> =>
    `/api/v1/statuses/${encodeURIComponent(await statuses.idOf(post, signal))}/${list}`;

  return {
    getPostLikes: async ({ post }, options) => usersPage(context, { path: await pathOf(post, 'favourited_by', options.signal) }, options),
    getPostReposts: async ({ post }, options) => usersPage(context, { path: await pathOf(post, 'reblogged_by', options.signal) }, options),

    async getPostQuotes({ post }, options) {
      const { apiVersion, domain, version } = await instances.current(options.signal);
      if (apiVersion < API_VERSIONS.quotes)
        throw unsupportedByServer('getPostQuotes', `${domain} runs ${version}; quotes need Mastodon 4.5 or later.`);
      const request = { path: await pathOf(post, 'quotes', options.signal), query: { limit: MOST.statuses }, scope: 'read:statuses' };
      const { rows, partialErrors, cursor } = await api.page(request, StatusRow, options);
      const authors = new Map(rows.map(({ account }) => [account.id, account]));
      return { items: await accounts.toUsers([...authors.values()], options.signal), partialErrors, cursor, scanned: rows.length };
    },

    async getPostComments({ post }, { signal }) {
      const id = await statuses.idOf(post, signal);
      const response = await api.send({ path: await pathOf(id, 'context', signal), scope: 'read:statuses', signal });
      const fetchedAt = api.now();
      return {
        items: threadsOf(
          id,
          response.json(ContextRow).descendants.map((row) => toPost(row, fetchedAt)),
        ),
      };
    },
  };
}

/** The replies to a post, one thread per direct reply. A reply to a hidden post also begins a thread. */
function threadsOf(postId: string, posts: readonly Post[]): readonly ConversationThread[] {
  const shown = new Set(posts.map(({ id }) => id));
  const below = Map.groupBy(posts, ({ replyTo }) => (replyTo && shown.has(replyTo.postId) ? replyTo.postId : postId));
  const seen = new Set([postId]);

  return (below.get(postId) ?? []).flatMap((root) => {
    const replies: { depth: number; post: Post }[] = [];
    // No recursion, because replies can be nested to any depth.
    for (let open = [{ depth: 0, post: root }], one = open.pop(); one; one = open.pop()) {
      const { depth, post } = one;
      if (seen.has(post.id)) continue;
      seen.add(post.id);
      replies.push(one);
      for (const answer of (below.get(post.id) ?? []).toReversed()) open.push({ depth: depth + 1, post: answer });
    }
    return replies.length === 0 ? [] : [{ id: root.id, root, replies: replies.slice(1) }];
  });
}
