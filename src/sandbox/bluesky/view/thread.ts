import type { JsonObject } from '#src/operation/json.ts';
import type { StoredPost } from '../../social/posts.ts';
import { textAt } from '../repo/references.ts';
import { answersOf } from './gates.ts';
import { findPost, type Look } from './look.ts';
import { toAbsence, toPostView } from './post.ts';

const THREAD_POST = 'app.bsky.feed.defs#threadViewPost';

/** A post with what it answers, so many above, and what answers it, so deep below. */
export function toThread(
  post: StoredPost,
  { depth, parentHeight }: { readonly depth: number; readonly parentHeight: number },
  look: Look,
): JsonObject {
  const parentUri = textAt(look.bluesky.posts.of(post).record, 'reply', 'parent', 'uri');
  return {
    ...withAnswers(post, depth, look),
    parent: parentUri === undefined || parentHeight === 0 ? undefined : toParent(parentUri, parentHeight - 1, look),
  };
}

function toParent(uri: string, height: number, look: Look): JsonObject {
  const post = findPost(look, uri);
  return post ? { ...toThread(post, { depth: 0, parentHeight: height }, look), replies: undefined } : toAbsence(uri, look);
}

function withAnswers(post: StoredPost, depth: number, look: Look): JsonObject {
  const replies = depth === 0 ? [] : answersOf(look, post).map((answer) => withAnswers(answer, depth - 1, look));
  return { $type: THREAD_POST, post: toPostView(post, look), replies, threadContext: {} };
}
