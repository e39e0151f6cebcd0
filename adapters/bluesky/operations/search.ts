import { UnsupportedParameter } from '#src/errors.ts';
import type { PageOptions } from '#src/clients/operation/platform.ts';
import type { Page } from '#src/clients/paging/page.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import type { User } from '#src/clients/social/records/user.ts';
import type { AccountContext } from '../account-context.ts';
import { noListSearch } from '../capabilities.ts';
import { PLATFORM, type Primitives } from '../errors.ts';
import { filteredPage, readPage, readRows } from '../pages.ts';
import { readProfiles } from './profiles.ts';
import { PostView, toPost } from '../wire/post.ts';
import { Profile } from '../wire/profile.ts';

/** One answer contains the full profiles of this many people. */
const MOST_PEOPLE = 25;

/** Posts or people for a keyword. */
export function search(account: AccountContext): Primitives['search'] {
  return async ({ keyword, filter }, options) => {
    switch (filter) {
      case undefined:
        return searchPosts(account, keyword, 'top', options);
      case 'Latest':
        return searchPosts(account, keyword, 'latest', options);
      case 'Media':
        return filteredPage<Post>(
          ({ media }) => media.length > 0,
          (from) => searchPosts(account, keyword, 'latest', from),
          { ...options, requests: account.pageRequests },
        );
      case 'People':
        return searchPeople(account, keyword, options);
      case 'Lists':
        throw new UnsupportedParameter({ platform: PLATFORM, operation: 'search', parameter: 'filter', value: filter, ...noListSearch });
    }
  };
}

/** Posts for a keyword; a keyword that is one hashtag finds the posts with exactly that tag. */
export function searchPosts(account: AccountContext, keyword: string, sort: 'top' | 'latest', options: PageOptions): Promise<Page<Post>> {
  const [, tag] = /^\s*[#＃]([^\s#＃]+)\s*$/u.exec(keyword) ?? [];
  const source = { nsid: 'app.bsky.feed.searchPosts', rows: 'posts', query: { q: keyword, sort, tag } };
  return readPage(account, source, PostView, toPost, options);
}

async function searchPeople(account: AccountContext, keyword: string, options: PageOptions): Promise<Page<User>> {
  const source = { nsid: 'app.bsky.actor.searchActors', rows: 'actors', query: { q: keyword, limit: MOST_PEOPLE } };
  const { rows, partialErrors, cursor } = await readRows(account, source, Profile, options);
  const users = await readProfiles(
    account,
    rows.map(({ did }) => did),
    options,
  );
  return { items: users.filter((user) => user !== undefined), scanned: rows.length, partialErrors, cursor };
}
