import { z } from 'zod';
import { paging, type CallOptions } from '#src/clients/operation/call.ts';
import { userText, type IdValue } from '#src/clients/operation/parameters.ts';
import { list } from '#src/clients/operation/operation.ts';
import { userName } from './choices.ts';
import { Followers } from './containers.ts';
import { Follower, type User } from './records.ts';

const GetFollowers = z.strictObject({
  ...paging,
  user: userText()
    .optional()
    .describe('Only this user: a handle, with or without @, or an id. The list is empty if the user does not follow the channel.'),
});
export interface GetFollowersOptions extends Omit<z.input<typeof GetFollowers>, 'user'>, CallOptions {
  readonly user?: IdValue | User | undefined;
}

/**
 * The followers of the signed-in channel, newest first. A user who follows again is listed again, but rules do not announce them twice.
 *
 * @example
 * const [newest] = await bot.getFollowers();
 * const { items } = await bot.getFollowers({ user: 'grace' });
 */
export const getFollowers = list('getFollowers', {
  watch: 'feed',
  params: GetFollowers,
  item: Follower,
  into: Followers,
  args: ({ user, ...options }: GetFollowersOptions = {}) => ({ ...options, ...(user !== undefined && { user: userName(user) }) }),
});
