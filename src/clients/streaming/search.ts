import { z } from 'zod';
import { paging, type CallOptions } from '#src/clients/operation/call.ts';
import { list } from '#src/clients/operation/operation.ts';
import { Search } from './containers.ts';
import { SearchFilter } from './enumerations.ts';
import { Game, Stream, User, Video } from './records.ts';

const SearchParams = z.strictObject({
  keyword: z.string().min(1).describe('The search term.'),
  filter: z.enum(SearchFilter).default('SearchStreams').describe('The kind of results.'),
  ...paging,
});
export interface SearchOptions extends Omit<z.input<typeof SearchParams>, 'keyword'>, CallOptions {}

/**
 * Searches for `keyword`: streams, or users, games or videos by `filter`.
 *
 * @example
 * const channels = await bot.search('ada', { filter: 'SearchChannels' });
 */
export const search = list('search', {
  watch: 'ranking',
  params: SearchParams,
  item: z.union([Stream, User, Game, Video]),
  into: Search,
  args: (keyword: string, options: SearchOptions = {}) => ({ keyword, ...options }),
});
