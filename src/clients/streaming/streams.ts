import { z } from 'zod';
import { paging, type CallOptions } from '#src/clients/operation/call.ts';
import { eachOf, userText, type IdValue } from '#src/clients/operation/parameters.ts';
import { list } from '#src/clients/operation/operation.ts';
import { GameChoice, gameChoice, languageCode, userName } from './choices.ts';
import { GameStreams, Streams, TopStreams } from './containers.ts';
import { StreamSort } from './enumerations.ts';
import { Stream, type Game, type User } from './records.ts';

const tags = z.array(z.string()).optional().describe('Only streams with one of these tags, in any case.');

const GetTopStreams = z.strictObject({ tags, ...paging });
export interface GetTopStreamsOptions extends z.input<typeof GetTopStreams>, CallOptions {}

/**
 * Live streams, most watched first.
 *
 * @example
 * const [first] = await bot.getTopStreams();
 */
export const getTopStreams = list('getTopStreams', {
  watch: 'ranking',
  rankedBy: 'viewerCount',
  params: GetTopStreams,
  item: Stream,
  into: TopStreams,
  args: (options: GetTopStreamsOptions = {}) => options,
});

const GetGameStreams = z.strictObject({
  game: GameChoice.describe('The name of the game, or { id }. Digits are a name first, then an id.'),
  tags,
  sort: z.enum(StreamSort).default('VIEWER_COUNT').describe('VIEWER_COUNT_ASC and STARTED_AT read every stream of the game first.'),
  ...paging,
});
export interface GetGameStreamsOptions extends Omit<z.input<typeof GetGameStreams>, 'game'>, CallOptions {}

/**
 * Live streams of one game, most watched first.
 *
 * @example
 * for await (const stream of bot.getGameStreams('Chess', { pages: 2 })) print(stream.title);
 */
export const getGameStreams = list('getGameStreams', {
  watch: 'ranking',
  rankedBy: 'viewerCount',
  params: GetGameStreams,
  item: Stream,
  into: GameStreams,
  args: (game: IdValue | Game, options: GetGameStreamsOptions = {}) => ({ game: gameChoice(game), ...options }),
});

const GetStreams = z.strictObject({
  users: z.array(userText()).optional().describe('Handles, with or without @, or ids of channels; digits are an id.'),
  games: z.array(GameChoice).optional().describe('Names of games, or { id }.'),
  languages: z.array(languageCode).optional().describe('Language codes, for example `en`.'),
  ...paging,
});
export interface GetStreamsOptions extends Omit<z.input<typeof GetStreams>, 'users' | 'games'>, CallOptions {
  readonly users?: readonly (IdValue | User)[] | undefined;
  readonly games?: readonly (IdValue | Pick<Game, 'id'>)[] | undefined;
}

/**
 * The live streams of channels, games or languages, most watched first.
 *
 * With `users`, one page contains all of them.
 *
 * @example
 * const live = await bot.getStreams({ users: ['ada', 'grace'] });
 */
export const getStreams = list('getStreams', {
  watch: 'live',
  params: GetStreams,
  item: Stream,
  into: Streams,
  args: ({ users, games, ...options }: GetStreamsOptions) => ({
    ...options,
    ...(users && { users: eachOf(users, (user, index) => userName(user, `users.${index}`)) }),
    ...(games && { games: eachOf(games, (game, index) => gameChoice(game, `games.${index}`)) }),
  }),
});
