import { z } from 'zod';
import { isId } from '../ids/snowflake.ts';
import { missing, XProblem } from '../problem.ts';
import type { XRoute } from '../request.ts';
import { postsPage } from '../wire/answer.ts';
import { bodyOf, idIn, ownId, PAGED, POST_KINDS } from './parameters.ts';

const READ = ['tweet.read', 'users.read'];
const Bookmark = z.strictObject({ tweet_id: z.string().refine(isId, 'is not an id') });

/** What the signed-in account keeps for itself. */
export const bookmarksRoutes: readonly XRoute[] = [
  {
    method: 'GET',
    path: '/users/:id/bookmarks',
    access: { scopes: [...READ, 'bookmark.read'] },
    limits: { user: 180 },
    fields: POST_KINDS,
    expands: 'tweet',
    parameters: PAGED,
    readsPosts: true,
    answer(request) {
      const { bookmarks, feed } = request.moment;
      const kept = bookmarks.of(ownId(request).id).flatMap((id) => feed.find(id) ?? []);
      return postsPage(kept, request, { size: { least: 1, most: 100, usual: 100 } });
    },
  },
  {
    method: 'POST',
    path: '/users/:id/bookmarks',
    access: { scopes: [...READ, 'bookmark.write'], oauth2Only: true },
    limits: { user: 50 },
    async answer(request) {
      const viewer = ownId(request);
      const { tweet_id: id } = await bodyOf(Bookmark, request);
      const post = request.findPost(id)?.post;
      if (!post) throw new XProblem(404, { ...missing({ type: 'tweet', parameter: 'tweet_id', value: id }), status: 404 });
      request.moment.bookmarks.add(viewer.id, post.repostOf ?? post.id);
      return { data: { bookmarked: true } };
    },
  },
  {
    method: 'DELETE',
    path: '/users/:id/bookmarks/:tweet',
    access: { scopes: [...READ, 'bookmark.write'], oauth2Only: true },
    limits: { user: 50 },
    answer(request) {
      const post = request.findPost(idIn(request, 'tweet'))?.post;
      if (post) request.moment.bookmarks.remove(ownId(request).id, post.repostOf ?? post.id);
      return { data: { bookmarked: false } };
    },
  },
];
