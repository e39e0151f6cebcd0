import { z } from 'zod';
import type { WriteOptions } from '#src/clients/operation/call.ts';
import { write } from '#src/clients/operation/operation.ts';
import { idOf, userParam, type Choice } from './arguments.ts';
import { User } from './records/user.ts';

const AboutUser = z.strictObject({ user: userParam });

function aboutUser(user: Choice<User>, options: WriteOptions = {}): z.input<typeof AboutUser> & WriteOptions {
  return { user: idOf(user, 'user'), ...options };
}

/**
 * Follows a user; resolves with the user.
 *
 * @example
 * const ada = await social.followUser('ada');
 */
export const followUser = write('followUser', { effect: 'sets', params: AboutUser, returns: User, args: aboutUser });

/**
 * Unfollows a user.
 *
 * @example
 * await social.unfollowUser('ada');
 */
export const unfollowUser = write('unfollowUser', { effect: 'sets', params: AboutUser, returns: User, args: aboutUser });

/**
 * Blocks a user. The two users can no longer see each other.
 *
 * @example
 * await social.blockUser('mallory');
 */
export const blockUser = write('blockUser', { effect: 'sets', params: AboutUser, returns: User, args: aboutUser });

/**
 * Unblocks a user. Earlier follows are not restored.
 *
 * @example
 * await social.unblockUser('mallory');
 */
export const unblockUser = write('unblockUser', { effect: 'sets', params: AboutUser, returns: User, args: aboutUser });

/**
 * Adds new posts of a user to `getPostNotifications`.
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
 * Removes new posts of a user from `getPostNotifications`.
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
