import { WAYS } from './access/access.ts';
import type { Primitives } from './api.ts';
import { MOST_ROWS, readUsers, type Readers } from './pages.ts';
import { postIdOf } from './posts/post-id.ts';
import { listOf, partsOf } from './wire/envelope.ts';
import { AUTHOR_FIELDS } from './wire/fields.ts';
import { PostRow } from './wire/post-row.ts';
import { toUser } from './wire/user.ts';

/** Who likes a post: X shows it of the account's own. */
export function postLikes(readers: Readers): Primitives['getPostLikes'] {
  return ({ post }, options) =>
    readUsers(readers, { path: '/2/tweets/:id/liking_users', params: { id: postIdOf(post) }, ways: WAYS.user }, options);
}

/** Who passed a post on. */
export function postReposts(readers: Readers): Primitives['getPostReposts'] {
  return ({ post }, options) => readUsers(readers, { path: '/2/tweets/:id/retweeted_by', params: { id: postIdOf(post) } }, options);
}

const Quotes = listOf(PostRow);

/** Who quoted a post, each once: X tells the quotes, each with whose it is. */
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
