import { z } from 'zod';
import { paging, type CallOptions, type ListOptions } from '#src/clients/operation/call.ts';
import { list } from '#src/clients/operation/operation.ts';
import { GifSearch, Search } from './containers.ts';
import { SearchFilter } from './enumerations.ts';
import { Gif } from './records/discovery.ts';
import { Post } from './records/post.ts';
import { User } from './records/user.ts';

const SearchPosts = z.strictObject({
  keyword: z.string().min(1).describe('A word, a phrase or a #hashtag.'),
  filter: z.enum(SearchFilter).optional().describe('The kind of results; by default, the best posts.'),
  ...paging,
});
export interface SearchOptions extends Omit<z.input<typeof SearchPosts>, 'keyword'>, ListOptions {}

/**
 * Posts with `keyword`; with the filter `People`, users.
 *
 * @example
 * const posts = await social.search('#speedrun', { filter: 'Latest' });
 */
export const search = list('search', {
  watch: 'ranking',
  newestFirst: { filter: ['Latest', 'Media'] },
  params: SearchPosts,
  item: z.union([Post, User]),
  into: Search,
  args: (keyword: string, options: SearchOptions = {}) => ({ keyword, ...options }),
});

const SearchGifs = z.strictObject({ searchTerm: z.string().min(1).describe('The search term.'), ...paging });
export interface SearchGifsOptions extends Omit<z.input<typeof SearchGifs>, 'searchTerm'>, CallOptions {}

/**
 * GIFs for `searchTerm`.
 *
 * @example
 * const [gif] = await social.searchGifs('confetti');
 */
export const searchGifs = list('searchGifs', {
  watch: 'ranking',
  params: SearchGifs,
  item: Gif,
  into: GifSearch,
  args: (searchTerm: string, options: SearchGifsOptions = {}) => ({ searchTerm, ...options }),
});
