import { z } from 'zod';
import { paging, type CallOptions } from '#src/clients/operation/call.ts';
import { userText, type IdValue } from '#src/clients/operation/parameters.ts';
import { list } from '#src/clients/operation/operation.ts';
import { GameChoice, gameChoice, languages, userName } from './choices.ts';
import { GameVideos, UserVideos } from './containers.ts';
import { VideoSort } from './enumerations.ts';
import { Video, type Game, type User } from './records.ts';

const GetUserVideos = z.strictObject({
  user: userText().describe('A handle, with or without @, or an id.'),
  sort: z.enum(VideoSort).default('TIME').describe('TIME: newest first. VIEWS: most viewed first.'),
  ...paging,
});
export interface GetUserVideosOptions extends Omit<z.input<typeof GetUserVideos>, 'user'>, CallOptions {}

/**
 * The videos of one user, newest first.
 *
 * @example
 * const [latest] = await bot.getUserVideos('ada');
 */
export const getUserVideos = list('getUserVideos', {
  watch: 'feed',
  newestFirst: { sort: ['TIME', undefined] },
  params: GetUserVideos,
  item: Video,
  into: UserVideos,
  args: (user: IdValue | User, options: GetUserVideosOptions = {}) => ({ user: userName(user), ...options }),
});

const GetGameVideos = z.strictObject({
  game: GameChoice.describe('The name of the game, or { id }. Digits are a name first, then an id.'),
  sort: z.enum(VideoSort).default('VIEWER_COUNT').describe('TIME: newest first. VIEWER_COUNT and VIEWS: most viewed first.'),
  languages: languages.optional(),
  ...paging,
});
export interface GetGameVideosOptions extends Omit<z.input<typeof GetGameVideos>, 'game'>, CallOptions {}

/**
 * The videos of one game, most viewed first.
 *
 * @example
 * const videos = await bot.getGameVideos('Chess', { languages: 'fr' });
 */
export const getGameVideos = list('getGameVideos', {
  watch: 'feed',
  newestFirst: { sort: ['TIME'] },
  params: GetGameVideos,
  item: Video,
  into: GameVideos,
  args: (game: IdValue | Game, options: GetGameVideosOptions = {}) => ({ game: gameChoice(game), ...options }),
});
