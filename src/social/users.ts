import { z } from 'zod';
import { paging, type CallOptions, type Caller } from '#src/operation/call.ts';
import { list, pagesOf, read } from '#src/operation/operation.ts';
import { UserPosts } from './containers.ts';
import { Post, User } from './records.ts';

const user = z.string().min(1).describe('A handle, with or without @, or an id.');

const GetUserInfo = z.strictObject({
  user: z
    .union([user, z.array(user).min(1)])
    .optional()
    .describe('A handle or an id, or a list of them; nobody: the signed-in user.'),
});

const info = read('getUserInfo', {
  params: GetUserInfo,
  returns: z.union([User, z.array(User)]),
  args: (name?: UserChoice | readonly UserChoice[], options: CallOptions = {}) => ({
    user: isMany(name) ? name.map(userName) : name === undefined ? undefined : userName(name),
    ...options,
  }),
});

interface One {
  (this: Caller, user?: UserChoice, options?: CallOptions): Promise<User>;
}
interface Many {
  (this: Caller, users: readonly UserChoice[], options?: CallOptions): Promise<readonly User[]>;
}

/**
 * One user, or a list of users for a list of names; without a name, the signed-in user.
 *
 * @example
 * const me = await social.getUserInfo();
 * const [ada, grace] = await social.getUserInfo(['ada', 'grace']);
 */
export const getUserInfo = info as One & Many & Pick<typeof info, 'declared'>; // the adapter answers a list with a list

const GetPosts = z.strictObject({
  user,
  replies: z.boolean().default(false).describe('Replies, too.'),
  ...paging,
});
export interface GetPostsOptions extends Omit<z.input<typeof GetPosts>, 'user'>, CallOptions {}

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
  args: (name: UserChoice, options: GetPostsOptions = {}) => ({ user: userName(name), ...options }),
});

/** {@link getPosts}, one page at a time. */
export const iterPosts = pagesOf(getPosts);

type UserChoice = string | number | User;

function isMany(value: UserChoice | readonly UserChoice[] | undefined): value is readonly UserChoice[] {
  return Array.isArray(value);
}

function userName(choice: UserChoice): string {
  return typeof choice === 'object' ? choice.id : String(choice);
}
