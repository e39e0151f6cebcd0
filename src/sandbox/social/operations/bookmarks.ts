import type { SocialPlatform } from '#src/social/social.ts';
import { postIdOf, requirePost, type Meeting } from '../meeting.ts';
import { postsPage } from '../record-pages.ts';

type BookmarkOperations = Pick<Required<SocialPlatform['operations']>, 'bookmarkPost' | 'unbookmarkPost' | 'getBookmarks'>;

/** What the signed-in account keeps for itself. */
export function bookmarksOperations(meeting: Meeting): BookmarkOperations {
  const { moment, viewer } = meeting;
  const { bookmarks, feed } = moment;
  return {
    async bookmarkPost({ post }) {
      bookmarks.add(viewer.id, requirePost(meeting, post).id);
      return true;
    },

    async unbookmarkPost({ post }) {
      bookmarks.remove(viewer.id, postIdOf(post, moment));
      return true;
    },

    async getBookmarks(_, { cursor }) {
      const kept = bookmarks.of(viewer.id).flatMap((id) => feed.find(id) ?? []);
      return postsPage(kept, cursor, moment);
    },
  };
}
