import { z } from 'zod';
import type { WriteOptions } from '#src/operation/call.ts';
import { write } from '#src/operation/operation.ts';
import { idOf, userParam, type Choice } from './arguments.ts';
import { User } from './records/user.ts';

const AboutUser = z.strictObject({ user: userParam });

function aboutUser(user: Choice<User>, options: WriteOptions = {}): z.input<typeof AboutUser> & WriteOptions {
  return { user: idOf(user, 'user'), ...options };
}

/**
 * Follows a user; comes back with them as they are then.
 *
 * @example
 * const ada = await social.followUser('ada');
 */
export const followUser = write('followUser', { effect: 'sets', params: AboutUser, returns: User, args: aboutUser });

/**
 * Follows a user no more.
 *
 * @example
 * await social.unfollowUser('ada');
 */
export const unfollowUser = write('unfollowUser', { effect: 'sets', params: AboutUser, returns: User, args: aboutUser });

/**
 * Blocks a user: neither sees the other any more.
 *
 * @example
 * await social.blockUser('mallory');
 */
export const blockUser = write('blockUser', { effect: 'sets', params: AboutUser, returns: User, args: aboutUser });

/**
 * Takes a block back; who followed whom before does not come back.
 *
 * @example
 * await social.unblockUser('mallory');
 */
export const unblockUser = write('unblockUser', { effect: 'sets', params: AboutUser, returns: User, args: aboutUser });

/**
 * Lets new posts of a user into `getPostNotifications`.
 *
 * @example
 * await social.enableUserNotification('ada');
 */
export const enableUserNotification = write('enableUserNotification', {
  effect: 'sets',
  params: AboutUser,
  returns: z.boolean(),
  args: aboutUser,
});

/**
 * Keeps new posts of a user out of `getPostNotifications`.
 *
 * @example
 * await social.disableUserNotification('ada');
 */
export const disableUserNotification = write('disableUserNotification', {
  effect: 'sets',
  params: AboutUser,
  returns: z.boolean(),
  args: aboutUser,
});
