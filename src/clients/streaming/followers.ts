import { z } from 'zod';
import { paging, type CallOptions } from '#src/clients/operation/call.ts';
import { list, pagesOf } from '#src/clients/operation/operation.ts';
import { Followers } from './containers.ts';
import { Follower } from './records.ts';

const GetFollowers = z.strictObject({
  ...paging,
  user: z.string().min(1).optional().describe('Only this user. The list is empty if the user does not follow the channel.'),
});
export interface GetFollowersOptions extends z.input<typeof GetFollowers>, CallOptions {}

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
  args: (options: GetFollowersOptions = {}) => options,
});

/** {@link getFollowers}, one page at a time. */
export const iterFollowers = pagesOf(getFollowers);
