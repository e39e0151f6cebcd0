import { z } from 'zod';
import { noParams, paging, type CallOptions, type Caller, type ListOptions } from '#src/clients/operation/call.ts';
import { list, read } from '#src/clients/operation/operation.ts';
import { idOfChoice } from '#src/clients/operation/parameters.ts';
import { idOf, userParam, type Choice } from './arguments.ts';
import {
  BlockedUsers,
  MutualFollowers,
  UserFollowers,
  UserFollowings,
  UserHighlights,
  UserMedia,
  UserPosts,
  UserSubscribers,
} from './containers.ts';
import { Post } from './records/post.ts';
import { User } from './records/user.ts';

const GetUserInfo = z.strictObject({
  user: z
    .union([userParam, z.array(userParam).min(1)])
    .optional()
    .describe('A handle or an id, or a list of them; by default, the signed-in user.'),
});

const info = read('getUserInfo', {
  watch: 'one',
  params: GetUserInfo,
  returns: z.union([User, z.array(User)]),
  args: (user?: Choice<User> | readonly Choice<User>[], options: CallOptions = {}) => ({
    user: isMany(user) ? user.map((one, at) => idOfChoice(one, `user.${at}`)) : idOf(user, 'user'),
    ...options,
  }),
});

interface One {
  (this: Caller, user?: Choice<User>, options?: CallOptions): Promise<User>;
}
interface Many {
  (this: Caller, users: readonly Choice<User>[], options?: CallOptions): Promise<readonly User[]>;
}

/**
 * One user, or a list of users for a list of names; without a name, the signed-in user. An unknown name fails the call.
 *
 * @example
 * const me = await social.getUserInfo();
 * const [ada, grace] = await social.getUserInfo(['ada', 'grace']);
 */
export const getUserInfo = info as One & Many & Pick<typeof info, 'declared'>; // the adapter answers a list with a list

const OfUser = z.strictObject({ user: userParam, ...paging });
/** The options of a list about a user. */
export interface OfUserOptions extends Omit<z.input<typeof OfUser>, 'user'>, CallOptions {}

function ofUser(user: Choice<User>, options: OfUserOptions = {}): z.input<typeof OfUser> & CallOptions {
  return { user: idOf(user, 'user'), ...options };
}

/**
 * The id of a user.
 *
 * @example
 * const id = await social.getUserId('ada');
 */
export const getUserId = read('getUserId', {
  params: z.strictObject({ user: userParam }),
  returns: z.string(),
  args: (user: string, options: CallOptions = {}) => ({ user, ...options }),
});

const GetPosts = OfUser.extend({ replies: z.boolean().default(false).describe('Whether to include replies.') });
export interface GetPostsOptions extends Omit<z.input<typeof GetPosts>, 'user'>, ListOptions {}

/**
 * Posts by `user`, newest first.
 *
 * @example
 * for await (const post of social.getPosts('ada', { pages: 2 })) print(post.text);
 */
export const getPosts = list('getPosts', {
  watch: 'feed',
  params: GetPosts,
  item: Post,
  into: UserPosts,
  args: (user: Choice<User>, options: GetPostsOptions = {}) => ({ user: idOf(user, 'user'), ...options }),
});

/**
 * Posts by `user` with pictures, videos or sounds, newest first.
 *
 * @example
 * const pictures = await social.getUserMedia('ada');
 */
export const getUserMedia = list('getUserMedia', { watch: 'feed', params: OfUser, item: Post, into: UserMedia, args: ofUser });

/**
 * The highlighted posts of `user`.
 *
 * @example
 * const best = await social.getUserHighlights('ada');
 */
export const getUserHighlights = list('getUserHighlights', {
  watch: 'set',
  params: OfUser,
  item: Post,
  into: UserHighlights,
  args: ofUser,
});

/**
 * The followers of `user`, newest first.
 *
 * @example
 * const { items } = await social.getUserFollowers('ada', { pages: 'all' });
 */
export const getUserFollowers = list('getUserFollowers', { watch: 'set', params: OfUser, item: User, into: UserFollowers, args: ofUser });

/**
 * The users that `user` follows, newest first.
 *
 * @example
 * const followed = await social.getUserFollowings('ada');
 */
export const getUserFollowings = list('getUserFollowings', {
  watch: 'set',
  params: OfUser,
  item: User,
  into: UserFollowings,
  args: ofUser,
});

/**
 * The paying followers of `user`, newest first.
 *
 * @example
 * const patrons = await social.getUserSubscribers('ada');
 */
export const getUserSubscribers = list('getUserSubscribers', {
  watch: 'set',
  params: OfUser,
  item: User,
  into: UserSubscribers,
  args: ofUser,
});

/**
 * The followers of `user` whom the signed-in user follows.
 *
 * @example
 * const known = await social.getMutualFollowers('ada');
 */
export const getMutualFollowers = list('getMutualFollowers', {
  watch: 'set',
  params: OfUser,
  item: User,
  into: MutualFollowers,
  args: ofUser,
});

const GetBlockedUsers = z.strictObject(paging);
export interface GetBlockedUsersOptions extends z.input<typeof GetBlockedUsers>, CallOptions {}

/**
 * The users that the signed-in user has blocked, newest first.
 *
 * @example
 * const blocked = await social.getBlockedUsers();
 */
export const getBlockedUsers = list('getBlockedUsers', {
  watch: 'set',
  params: GetBlockedUsers,
  item: User,
  into: BlockedUsers,
  args: (options: GetBlockedUsersOptions = {}) => options,
});

/**
 * Users that the platform suggests to follow.
 *
 * @example
 * const [first] = await social.getSuggestedUsers();
 */
export const getSuggestedUsers = read('getSuggestedUsers', {
  watch: 'ranking',
  params: noParams,
  returns: z.array(User),
  args: (options: CallOptions = {}) => options,
});

function isMany(value: Choice<User> | readonly Choice<User>[] | undefined): value is readonly Choice<User>[] {
  return Array.isArray(value);
}
