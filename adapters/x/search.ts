import { UnsupportedParameter, ValidationError } from '#src/errors.ts';
import { WAYS } from './access/access.ts';
import type { Primitives } from './api.ts';
import { NO_LIST_SEARCH } from './capabilities.ts';
import { readPosts, readUsers, type Readers } from './pages.ts';

/** The longest query that X takes. */
export const LONGEST_QUERY = 512;

export const RECENT = '/2/tweets/search/recent';

/** Posts of the last seven days, or users. */
export function search(readers: Readers): Primitives['search'] {
  return async ({ keyword, filter }, options) => {
    switch (filter) {
      case 'People':
        return readUsers(
          readers,
          { path: '/2/users/search', query: { query: keyword }, ways: WAYS.user, cursorName: 'next_token' },
          options,
        );
      case 'Lists':
        throw new UnsupportedParameter({ platform: 'x', operation: 'search', parameter: 'filter', value: filter, ...NO_LIST_SEARCH });
      default: {
        const query = filter === 'Media' ? `(${keyword}) has:media` : keyword;
        if (query.length > LONGEST_QUERY) {
          const message = `search: keyword: X takes at most ${LONGEST_QUERY} characters, this has ${query.length}`;
          throw new ValidationError(message, { path: 'keyword' });
        }
        const order = filter === undefined ? 'relevancy' : 'recency';
        return readPosts(readers, { path: RECENT, query: { query, sort_order: order }, cursorName: 'next_token' }, options);
      }
    }
  };
}
