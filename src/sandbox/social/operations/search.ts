import type { SocialPlatform } from '#src/social/social.ts';
import type { Meeting } from '../meeting.ts';
import { pageOf } from '../paging.ts';
import { toPost, toUser } from '../records.ts';
import { Refusal } from '../refusal.ts';
import { isAbout, says } from '../search.ts';

type Searches = Pick<Required<SocialPlatform['operations']>, 'search'>;

/** What is found by a word. */
export function searchOperations({ moment }: Meeting): Searches {
  const { feed, people } = moment;
  return {
    async search({ keyword, filter }, { cursor }) {
      if (filter === 'Lists') throw new Refusal(422, 'unsupported', 'There are no lists to search for.');
      if (filter === 'People') {
        const found = people.all.filter((person) => isAbout(person, keyword)).toSorted((a, b) => b.followerCount - a.followerCount);
        const page = pageOf(found, cursor);
        return { ...page, items: page.items.map((person) => toUser(person, moment)) };
      }
      // No post here has a picture.
      const found = filter === 'Media' ? [] : feed.all().filter((post) => says(post, keyword));
      const page = pageOf(filter === 'Latest' ? found : found.toSorted((a, b) => b.likes - a.likes), cursor);
      return { ...page, items: page.items.map((post) => toPost(post, moment)) };
    },
  };
}
