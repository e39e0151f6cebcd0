import type { Post } from '#src/social/records/post.ts';
import type { SocialAsync } from '#src/social/social.ts';
import type { Part } from './pager.ts';

export interface ThreadWanted {
  /** An id or an address. */
  readonly post: string;
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
}

/** A post and, below it, the answers to it, each followed by what was said to it. */
export async function readThread(client: SocialAsync, { post, cursor, signal }: ThreadWanted): Promise<Part<Post>> {
  const comments = client.getPostComments(post, { cursor, signal });
  const [first, threads] = await Promise.all([cursor === undefined ? client.postDetail(post, { signal }) : undefined, comments]);
  const answers = threads.items.flatMap(({ root, replies }) => [root, ...replies.map((reply) => reply.post)]);
  const items = first ? [first, ...answers] : answers;
  return { items, cursor: threads.cursor, scanned: items.length };
}
