import { PlatformError } from '#src/errors.ts';
import { WAYS } from '../auth/access.ts';
import type { Primitives, XApi, XRequest } from '../client.ts';
import { gated } from '../errors.ts';
import { postIdOf } from './read-post.ts';
import type { UserNames } from './users.ts';

type Reaction = 'likePost' | 'unlikePost' | 'repostPost' | 'deleteRepost' | 'bookmarkPost' | 'unbookmarkPost';

/** Likes, reposts and bookmarks of the account. */
export function reactions(api: XApi, names: UserNames): Pick<Primitives, Reaction> {
  function change(request: Pick<XRequest, 'method' | 'path' | 'ways'>): Primitives[Reaction] {
    return async ({ post }, { signal }) => {
      const postId = postIdOf(post);
      const { id } = await names.me(signal);
      const json = request.method === 'POST' ? { tweet_id: postId } : undefined;
      await api.send({ ways: WAYS.user, ...request, params: { id, post: postId }, json, signal }).catch(unlessDone(request.method));
      return true;
    };
  }

  function gatedChange(operation: Reaction, request: Pick<XRequest, 'method' | 'path'>): Primitives[Reaction] {
    return (params, options) => gated(operation, ['bookmarkPost', 'repostPost'], () => change(request)(params, options));
  }

  return {
    likePost: gatedChange('likePost', { method: 'POST', path: '/2/users/:id/likes' }),
    unlikePost: gatedChange('unlikePost', { method: 'DELETE', path: '/2/users/:id/likes/:post' }),
    repostPost: change({ method: 'POST', path: '/2/users/:id/retweets' }),
    deleteRepost: change({ method: 'DELETE', path: '/2/users/:id/retweets/:post' }),
    // X accepts no signatures here.
    bookmarkPost: change({ method: 'POST', path: '/2/users/:id/bookmarks', ways: WAYS.oauth2 }),
    unbookmarkPost: change({ method: 'DELETE', path: '/2/users/:id/bookmarks/:post', ways: WAYS.oauth2 }),
  };
}

/** Ignores errors that mean that the state was already set, or that there was nothing to undo. */
function unlessDone(method: XRequest['method']): (error: unknown) => void {
  return (error) => {
    const isDone = error instanceof PlatformError && (error.cause === 'alreadyDone' || (method === 'DELETE' && error.fault === 'missing'));
    if (!isDone) throw error;
  };
}
