import { WAYS } from '../access/access.ts';
import type { Primitives } from '../api.ts';
import type { XBudgets } from '../budgets.ts';
import { MOST_ROWS, readUsers, type Readers } from '../pages.ts';
import { scan } from '../scan.ts';
import type { UserNames } from './names.ts';

/** Who follows a user. */
export function followers(readers: Readers, names: UserNames): Primitives['getUserFollowers'] {
  return async ({ user }, options) =>
    readUsers(readers, { path: '/2/users/:id/followers', params: { id: await names.idOf(user, options.signal) } }, options);
}

/** Whom a user follows. */
export function followings(readers: Readers, names: UserNames): Primitives['getUserFollowings'] {
  return async ({ user }, options) =>
    readUsers(readers, { path: '/2/users/:id/following', params: { id: await names.idOf(user, options.signal) } }, options);
}

/** Who follows a user among those that the account follows: all followers, looked through. */
export function mutualFollowers(readers: Readers, names: UserNames, budgets: XBudgets | undefined): Primitives['getMutualFollowers'] {
  return async ({ user }, { cursor, signal }) => {
    const params = { id: await names.idOf(user, signal) };
    const asking = { path: '/2/users/:id/followers', params, ways: WAYS.user } as const;
    return scan({
      operation: 'getMutualFollowers',
      budgets,
      kind: 'user',
      rows: { least: 1, most: MOST_ROWS },
      read: (after, rows) => readUsers(readers, { ...asking, query: { max_results: rows } }, { cursor: after, signal }),
      keep: ({ viewer }) => viewer?.following === true,
      cursor,
    });
  };
}

/** Whom the account has blocked. */
export function blockedUsers(readers: Readers, names: UserNames): Primitives['getBlockedUsers'] {
  return async (_, options) => {
    const { id } = await names.me(options.signal);
    return readUsers(readers, { path: '/2/users/:id/blocking', params: { id }, ways: WAYS.user }, options);
  };
}
