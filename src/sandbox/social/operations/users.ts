import type { PrimitivesOf } from '#src/social/social.ts';
import type * as topic from '#src/social/users.ts';
import { requirePerson, type Meeting } from '../meeting.ts';
import { postsPage, usersPage } from '../record-pages.ts';
import { suggestionsFor } from '../suggestions.ts';
import { highlightsOf, postsOf, timelineOf, toUser } from '../user-record.ts';

type Users = PrimitivesOf<typeof topic>;

/** Who somebody is, what they wrote, and who is with whom. */
export function usersOperations(meeting: Meeting): Users {
  const { moment, viewer } = meeting;
  const { people, relations } = moment;
  return {
    async getUserInfo({ user = viewer.id }) {
      if (typeof user === 'string') return toUser(requirePerson(meeting, user), moment);
      return user.flatMap((name) => people.find(name) ?? []).map((person) => toUser(person, moment));
    },

    getUserId: async ({ user }) => requirePerson(meeting, user).id,

    async getPosts({ user, replies }, { cursor }) {
      const posts = timelineOf(requirePerson(meeting, user), moment);
      return postsPage(replies ? posts : posts.filter(({ replyTo }) => replyTo === undefined), cursor, moment);
    },

    async getUserMedia({ user }, { cursor }) {
      const posts = postsOf(requirePerson(meeting, user), moment).filter(({ media }) => media.length > 0);
      return postsPage(posts, cursor, moment);
    },

    getUserHighlights: async ({ user }, { cursor }) => postsPage(highlightsOf(requirePerson(meeting, user), moment), cursor, moment),

    getUserFollowers: async ({ user }, { cursor }) => usersPage(relations.followersOf(requirePerson(meeting, user).id), cursor, moment),

    getUserFollowings: async ({ user }, { cursor }) => usersPage(relations.followingsOf(requirePerson(meeting, user).id), cursor, moment),

    getUserSubscribers: async ({ user }, { cursor }) => usersPage(relations.subscribersOf(requirePerson(meeting, user).id), cursor, moment),

    async getMutualFollowers({ user }, { cursor }) {
      const followers = relations.followersOf(requirePerson(meeting, user).id);
      const known = followers.filter((id) => relations.follows(viewer.id, id));
      return usersPage(known, cursor, moment);
    },

    getBlockedUsers: async (_, { cursor }) => usersPage(relations.blockedBy(viewer.id), cursor, moment),

    getSuggestedUsers: async () => suggestionsFor(viewer, moment).map((person) => toUser(person, moment)),
  };
}
