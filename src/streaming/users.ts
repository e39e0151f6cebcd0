import { z } from 'zod';
import type { CallOptions } from '#src/operation/call.ts';
import { userText, type IdValue } from '#src/operation/parameters.ts';
import { read } from '#src/operation/operation.ts';
import { userName } from './choices.ts';
import { User } from './records.ts';

const GetUser = z.strictObject({
  user: userText().describe('A handle, with or without @, or an id.'),
});

/**
 * One user of the platform.
 *
 * @example
 * const ada = await bot.getUser('ada');
 */
export const getUser = read('getUser', {
  watch: 'one',
  params: GetUser,
  returns: User,
  args: (user: IdValue | User, options: CallOptions = {}) => ({ user: userName(user), ...options }),
});
