import { z } from 'zod';
import { paging, type CallOptions } from '#src/operation/call.ts';
import { list, pagesOf } from '#src/operation/operation.ts';
import { Search } from './containers.ts';
import { SearchFilter } from './enumerations.ts';
import { Post, User } from './records.ts';

const SearchPosts = z.strictObject({
  keyword: z.string().min(1).describe('A word, a phrase or a #hashtag.'),
  filter: z.enum(SearchFilter).optional().describe('What to look for; without it, the posts that fit best.'),
  ...paging,
});
export interface SearchOptions extends Omit<z.input<typeof SearchPosts>, 'keyword'>, CallOptions {}

/**
 * Posts with `keyword`; with the filter `People`, users.
 *
 * @example
 * const posts = await social.search('#speedrun', { filter: 'Latest' });
 */
export const search = list('search', {
  watch: 'ranking',
  params: SearchPosts,
  item: z.union([Post, User]),
  into: Search,
  args: (keyword: string, options: SearchOptions = {}) => ({ keyword, ...options }),
});

/** {@link search}, one page at a time. */
export const iterSearch = pagesOf(search);
