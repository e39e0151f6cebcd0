import { z } from 'zod';
import type { CallOptions } from '#src/operation/call.ts';
import type { IdValue } from '#src/operation/id.ts';
import { read } from '#src/operation/operation.ts';
import { userName } from './choices.ts';
import { User } from './records.ts';

const GetUser = z.strictObject({
  user: z.string().min(1).describe('A handle or an id.'),
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
