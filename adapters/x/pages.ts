import type { PageOptions } from '#src/clients/operation/platform.ts';
import type { Page } from '#src/clients/paging/page.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import type { User } from '#src/clients/social/records/user.ts';
import type { XApi, XRequest } from './client.ts';
import { listOf, partsOf } from './wire/envelope.ts';
import { POST_FIELDS, USER_FIELDS, type Fields } from './wire/fields.ts';
import { toPost } from './wire/post.ts';
import { PostRow } from './wire/post-row.ts';
import { toUser, UserRow } from './wire/user.ts';

/** The most posts or users in one response. */
export const MOST_ROWS = 100;
/** The fewest rows that every list and search of X accepts. */
const LEAST_ROWS = 10;

const PostRows = listOf(PostRow);
const UserRows = listOf(UserRow);

/** The name of the cursor parameter. */
type CursorName = 'pagination_token' | 'next_token';

export interface Asking extends Pick<XRequest, 'path' | 'params' | 'query' | 'ways'> {
  readonly cursorName?: CursorName | undefined;
}

/** The dependencies of reads that return users or posts. */
export interface Readers {
  readonly api: XApi;
  /** The ids of the watched users. */
  readonly watched: () => Promise<ReadonlySet<string>>;
  /** Called for each post that was read. */
  readonly onPost?: ((row: PostRow) => void) | undefined;
}

/** Reads one page of posts. */
export async function readPosts(
  { api, onPost }: Pick<Readers, 'api' | 'onPost'>,
  asking: Asking,
  options: PageOptions,
): Promise<Page<Post>> {
  const { answer, fetchedAt } = await api.read(PostRows, toRequest(asking, POST_FIELDS, options));
  const { data, includes, cursor } = answer;
  if (options.onNext && cursor !== undefined) await options.onNext(cursor);
  if (onPost) data.forEach(onPost);
  return { items: data.map((row) => toPost(row, includes, fetchedAt)), cursor, partialErrors: partsOf(answer, asking) };
}

/** Reads one page of users. */
export async function readUsers({ api, watched }: Readers, asking: Asking, options: PageOptions): Promise<Page<User>> {
  const { answer, fetchedAt } = await api.read(UserRows, toRequest(asking, USER_FIELDS, options));
  const { data, cursor } = answer;
  if (options.onNext && cursor !== undefined) await options.onNext(cursor);
  const about = { fetchedAt, watched: await watched() };
  return { items: data.map((row) => toUser(row, about)), cursor, partialErrors: partsOf(answer, asking) };
}

function toRequest(
  { cursorName = 'pagination_token', query, ...asking }: Asking,
  fields: Fields,
  { cursor, rows = MOST_ROWS, signal }: PageOptions,
): XRequest {
  const most = Math.min(Math.max(rows, LEAST_ROWS), MOST_ROWS);
  return { ...asking, query: { max_results: most, ...query, [cursorName]: cursor }, fields, signal };
}
