import { z } from 'zod';
import { paging, type CallOptions, type WriteOptions } from '#src/clients/operation/call.ts';
import { list, read, write } from '#src/clients/operation/operation.ts';
import { idOf, userParam, type Choice } from './arguments.ts';
import { ListMembers, ListPosts, Lists } from './containers.ts';
import { UserList } from './records/discovery.ts';
import { Post } from './records/post.ts';
import { User } from './records/user.ts';

const listParam = z.string().min(1).describe("A list's id.");

const GetLists = z.strictObject(paging);
export interface GetListsOptions extends z.input<typeof GetLists>, CallOptions {}

/**
 * The signed-in user's lists.
 *
 * @example
 * const lists = await social.getLists();
 */
export const getLists = list('getLists', {
  watch: 'set',
  params: GetLists,
  item: UserList,
  into: Lists,
  args: (options: GetListsOptions = {}) => options,
});

const CreateList = z.strictObject({
  name: z.string().min(1).max(25),
  description: z.string().max(100).default(''),
  isPrivate: z.boolean().default(false).describe('Whether only the signed-in user can see the list.'),
});
export interface CreateListOptions extends Omit<z.input<typeof CreateList>, 'name'>, WriteOptions {}

/**
 * Creates an empty list.
 *
 * @example
 * const runners = await social.createList('Runners', { isPrivate: true });
 */
export const createList = write('createList', {
  effect: 'creates',
  publishes: 'list',
  params: CreateList,
  returns: UserList,
  args: (name: string, options: CreateListOptions = {}) => ({ name, ...options }),
});

/**
 * Deletes a list of the signed-in user. The result is true even if the list no longer exists.
 *
 * @example
 * await social.deleteList(runners);
 */
export const deleteList = write('deleteList', {
  effect: 'sets',
  params: z.strictObject({ list: listParam }),
  returns: z.boolean(),
  args: (userList: Choice<UserList>, options: WriteOptions = {}) => ({ list: idOf(userList, 'list'), ...options }),
});

/**
 * One list.
 *
 * @example
 * const { memberCount } = await social.getList(id);
 */
export const getList = read('getList', {
  watch: 'one',
  params: z.strictObject({ list: listParam }),
  returns: UserList,
  args: (userList: Choice<UserList>, options: CallOptions = {}) => ({ list: idOf(userList, 'list'), ...options }),
});

const OfList = z.strictObject({ list: listParam, ...paging });
/** The options of a walk through a list. */
export interface OfListOptions extends Omit<z.input<typeof OfList>, 'list'>, CallOptions {}

function ofList(userList: Choice<UserList>, options: OfListOptions = {}): z.input<typeof OfList> & CallOptions {
  return { list: idOf(userList, 'list'), ...options };
}

/**
 * The posts of the members of a list, newest first.
 *
 * @example
 * for await (const post of social.getListPosts(runners)) print(post.text);
 */
export const getListPosts = list('getListPosts', { watch: 'feed', params: OfList, item: Post, into: ListPosts, args: ofList });

/**
 * The members of a list, newest first.
 *
 * @example
 * const { length } = await social.getListMember(runners, { pages: 'all' });
 */
export const getListMember = list('getListMember', { watch: 'set', params: OfList, item: User, into: ListMembers, args: ofList });

const ListAndUser = z.strictObject({ list: listParam, user: userParam });

function listAndUser(
  userList: Choice<UserList>,
  user: Choice<User>,
  options: WriteOptions = {},
): z.input<typeof ListAndUser> & WriteOptions {
  return { list: idOf(userList, 'list'), user: idOf(user, 'user'), ...options };
}

/**
 * Adds a user to a list; resolves with the list.
 *
 * @example
 * await social.addListMember(runners, 'ada');
 */
export const addListMember = write('addListMember', { effect: 'sets', params: ListAndUser, returns: UserList, args: listAndUser });

/**
 * Removes a user from a list; resolves with the list.
 *
 * @example
 * await social.removeListMember(runners, 'ada');
 */
export const removeListMember = write('removeListMember', { effect: 'sets', params: ListAndUser, returns: UserList, args: listAndUser });
