import { z } from 'zod';
import { paging, type CallOptions } from '#src/clients/operation/call.ts';
import { userText, type IdValue } from '#src/clients/operation/parameters.ts';
import { list } from '#src/clients/operation/operation.ts';
import { GameChoice, gameChoice, languages, userName } from './choices.ts';
import { GameClips, UserClips } from './containers.ts';
import { ClipSort } from './enumerations.ts';
import { Clip, type Game, type User } from './records.ts';

const GetUserClips = z.strictObject({
  user: userText().describe('A handle, with or without @, or an id.'),
  sort: z.enum(ClipSort).default('TIME').describe('TIME: newest first. Others: the most viewed clips of the time span.'),
  ...paging,
});
export interface GetUserClipsOptions extends Omit<z.input<typeof GetUserClips>, 'user'>, CallOptions {}

/**
 * Clips from the streams of one user, newest first.
 *
 * @example
 * const best = await bot.getUserClips('ada', { sort: 'LAST_WEEK' });
 */
export const getUserClips = list('getUserClips', {
  watch: 'feed',
  newestFirst: { sort: ['TIME', undefined] },
  params: GetUserClips,
  item: Clip,
  into: UserClips,
  args: (user: IdValue | User, options: GetUserClipsOptions = {}) => ({ user: userName(user), ...options }),
});

const GetGameClips = z.strictObject({
  game: GameChoice.describe('The name of the game, or { id }. Digits are a name first, then an id.'),
  sort: z.enum(ClipSort).default('VIEWER_COUNT').describe('TIME: newest first. Others: the most viewed clips of the time span.'),
  languages: languages.optional(),
  ...paging,
});
export interface GetGameClipsOptions extends Omit<z.input<typeof GetGameClips>, 'game'>, CallOptions {}

/**
 * Clips of one game, most viewed first.
 *
 * @example
 * for await (const clip of bot.getGameClips('Chess', { sort: 'LAST_DAY', pages: 2 })) print(clip.title);
 */
export const getGameClips = list('getGameClips', {
  watch: 'feed',
  newestFirst: { sort: ['TIME'] },
  params: GetGameClips,
  item: Clip,
  into: GameClips,
  args: (game: IdValue | Game, options: GetGameClipsOptions = {}) => ({ game: gameChoice(game), ...options }),
});
