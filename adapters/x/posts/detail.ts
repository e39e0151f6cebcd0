import type { Post } from '#src/social/records/post.ts';
import type { Primitives } from '../api.ts';
import type { Readers } from '../pages.ts';
import { oneOf, required } from '../wire/envelope.ts';
import { HISTORY_FIELDS } from '../wire/fields.ts';
import { toPost } from '../wire/post.ts';
import { PostRow } from '../wire/post-row.ts';
import { postIdOf } from './post-id.ts';

const One = oneOf(PostRow);

/** What a single post is read with. */
export type PostReader = Pick<Readers, 'api' | 'onPost'>;

/** One post by its id. */
export async function readPost({ api, onPost }: PostReader, id: string, signal: AbortSignal | undefined): Promise<Post> {
  const { answer, fetchedAt } = await api.read(One, { path: '/2/tweets/:id', params: { id }, fields: HISTORY_FIELDS, signal });
  const row = required(answer, `post ${id}`);
  onPost?.(row);
  return toPost(row, answer.includes, fetchedAt);
}

/** One post by its id or its address. */
export function postDetail(reader: PostReader): Primitives['postDetail'] {
  return ({ identifier }, { signal }) => readPost(reader, postIdOf(identifier), signal);
}
