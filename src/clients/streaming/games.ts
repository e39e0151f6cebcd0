import { z } from 'zod';
import { paging, type CallOptions } from '#src/clients/operation/call.ts';
import { list } from '#src/clients/operation/operation.ts';
import { TopGames } from './containers.ts';
import { Game } from './records.ts';

const GetTopGames = z.strictObject({
  tags: z.array(z.string()).optional().describe('Only games of top streams with one of these tags.'),
  ...paging,
});
export interface GetTopGamesOptions extends z.input<typeof GetTopGames>, CallOptions {}

/**
 * Games, most watched first.
 *
 * @example
 * const games = await bot.getTopGames();
 * for await (const game of bot.getTopGames({ pages: 3 })) print(game.name);
 */
export const getTopGames = list('getTopGames', {
  watch: 'ranking',
  params: GetTopGames,
  item: Game,
  into: TopGames,
  args: (options: GetTopGamesOptions = {}) => options,
});
