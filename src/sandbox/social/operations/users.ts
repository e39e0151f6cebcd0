import type { SocialPlatform } from '#src/social/social.ts';
import { requirePerson, type Meeting } from '../meeting.ts';
import { pageOf } from '../paging.ts';
import { toPost, toUser } from '../records.ts';

type Users = Pick<Required<SocialPlatform['operations']>, 'getUserInfo' | 'getPosts'>;

/** Who somebody is and what they wrote. */
export function usersOperations(meeting: Meeting): Users {
  const { moment, viewer } = meeting;
  const { feed, people } = moment;
  return {
    async getUserInfo({ user = viewer.id }) {
      if (typeof user === 'string') return toUser(requirePerson(meeting, user), moment);
      return user.flatMap((name) => people.find(name) ?? []).map((person) => toUser(person, moment));
    },

    async getPosts({ user, replies }, { cursor }) {
      const { id } = requirePerson(meeting, user);
      const posts = feed.all().filter(({ authorId, replyTo }) => authorId === id && (replies || replyTo === undefined));
      const page = pageOf(posts, cursor);
      return { ...page, items: page.items.map((post) => toPost(post, moment)) };
    },
  };
}
