import type { SocialPlatform } from '#src/social/social.ts';
import { findGifs, toGif } from '../gifs/gifs.ts';
import type { Meeting } from '../meeting.ts';
import { mostLikedFirst } from '../most-liked.ts';
import { pageOf } from '../paging.ts';
import { postsPage, usersPage } from '../record-pages.ts';
import { Refusal } from '../refusal.ts';
import { isAbout, says } from '../search.ts';

type Searches = Pick<Required<SocialPlatform['operations']>, 'search' | 'searchGifs'>;

/** What is found by a word. */
export function searchOperations({ moment, viewer }: Meeting): Searches {
  const { feed, people, relations, url } = moment;

  function peopleAbout(keyword: string): readonly string[] {
    const found = people.all.filter((person) => isAbout(person, keyword) && !relations.parted(viewer.id, person.id));
    const counted = found.map(({ id }) => ({ id, followers: relations.followersOf(id).length }));
    return counted.toSorted((a, b) => b.followers - a.followers).map(({ id }) => id);
  }

  return {
    async search({ keyword, filter }, { cursor }) {
      if (filter === 'Lists') throw new Refusal(422, 'unsupported', 'There are no lists to search for.');
      if (filter === 'People') return usersPage(peopleAbout(keyword), cursor, moment);
      const found = feed.all().filter((post) => says(post, keyword));
      if (filter === 'Latest') return postsPage(found, cursor, moment);
      const wanted = filter === 'Media' ? found.filter(({ media }) => media.length > 0) : found;
      return postsPage(mostLikedFirst(wanted, moment), cursor, moment);
    },

    async searchGifs({ searchTerm }, { cursor }) {
      const page = pageOf(findGifs(searchTerm), cursor);
      return { ...page, items: page.items.map((gif) => toGif(gif, url)) };
    },
  };
}
