import { PlatformError } from '#src/errors.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import type { Primitives } from '../client.ts';
import type { Readers } from '../pages.ts';
import { oneOf, required } from '../wire/envelope.ts';
import { HISTORY_FIELDS } from '../wire/fields.ts';
import { PostRow } from '../wire/post-row.ts';
import { toPost } from '../wire/post.ts';
import { postIdIn } from '../wire/text.ts';

/** The id in an id or an address; throws `missing` for any other text. */
export function postIdOf(identifier: string): string {
  const found = /^\d{1,19}$/.test(identifier) ? identifier : postIdIn(identifier);
  if (found !== undefined) return found;
  throw new PlatformError(`x has no post "${identifier}": give its id, or its address, for example https://x.com/ada/status/1.`, {
    platform: 'x',
    fault: 'missing',
  });
}

const OnePost = oneOf(PostRow);

/** Reads single posts. */
export type PostReader = Pick<Readers, 'api' | 'onPost'>;

/** One post by its id. */
export async function readPost({ api, onPost }: PostReader, id: string, signal: AbortSignal | undefined): Promise<Post> {
  const { answer, fetchedAt } = await api.read(OnePost, { path: '/2/tweets/:id', params: { id }, fields: HISTORY_FIELDS, signal });
  const row = required(answer, `post ${id}`);
  onPost?.(row);
  return toPost(row, answer.includes, fetchedAt);
}

/** One post by its id or its address. */
export function postDetail(reader: PostReader): Primitives['postDetail'] {
  return ({ identifier }, { signal }) => readPost(reader, postIdOf(identifier), signal);
}
