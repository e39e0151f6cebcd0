import type { StoredPost } from '../../social/posts.ts';
import { invalidParameter } from '../problem.ts';
import type { XRequest } from '../request.ts';

const EXCLUDED = ['replies', 'retweets'];

/** What a query wants left out. */
export function excluded(request: XRequest): ReadonlySet<string> {
  const values = (request.query.get('exclude') ?? '').split(',').filter((value) => value !== '');
  const wrong = values.find((value) => !EXCLUDED.includes(value));
  if (wrong !== undefined) throw invalidParameter('exclude', wrong, `is not one of [${EXCLUDED.join(',')}]`);
  return new Set(values);
}

/** The posts without what is left out. */
export function kept(posts: readonly StoredPost[], without: ReadonlySet<string>): readonly StoredPost[] {
  return posts.filter(
    (post) => !(without.has('replies') && post.replyTo !== undefined) && !(without.has('retweets') && post.repostOf !== undefined),
  );
}
