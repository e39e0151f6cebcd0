import type { SocialPlatform } from '#src/social/social.ts';
import { whoReacted } from '../crowd/who-reacted.ts';
import { requirePost, type Meeting } from '../meeting.ts';
import { pageOf, type Page } from '../paging.ts';
import { answersTo, toThread } from '../threads.ts';
import { toUser } from '../user-record.ts';
import type { User } from '#src/social/records/user.ts';
import type { WorldPerson } from '../../world/world.ts';

type Responses = Pick<Required<SocialPlatform['operations']>, 'getPostLikes' | 'getPostReposts' | 'getPostQuotes' | 'getPostComments'>;

/** What came of a post. */
export function responsesOperations(meeting: Meeting): Responses {
  const { moment } = meeting;

  function usersOf(people: readonly WorldPerson[], cursor: string | undefined): Page<User> {
    const page = pageOf(people, cursor);
    return { ...page, items: page.items.map((person) => toUser(person, moment)) };
  }

  return {
    getPostLikes: async ({ post }, { cursor }) => usersOf(whoReacted('like', requirePost(meeting, post), moment), cursor),
    getPostReposts: async ({ post }, { cursor }) => usersOf(whoReacted('repost', requirePost(meeting, post), moment), cursor),

    async getPostQuotes({ post }, { cursor }) {
      const quotes = moment.feed.quotesOf(requirePost(meeting, post).id);
      const authors = new Set(quotes.map(({ authorId }) => authorId));
      return usersOf(
        [...authors].flatMap((id) => moment.people.find(id) ?? []),
        cursor,
      );
    },

    async getPostComments({ post, getHidden: hidden }, { cursor }) {
      const page = pageOf(answersTo(requirePost(meeting, post), { hidden, moment }), cursor);
      return { ...page, items: page.items.map((answer) => toThread(answer, { hidden, moment })) };
    },
  };
}
