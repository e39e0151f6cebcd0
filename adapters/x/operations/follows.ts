import type { User } from '#src/clients/social/records/user.ts';
import { WAYS } from '../auth/access.ts';
import { scan, type XBudgets } from '../budgets.ts';
import type { Primitives } from '../client.ts';
import { gated } from '../errors.ts';
import { MOST_ROWS, type Readers, readUsers } from '../pages.ts';
import { toUser } from '../wire/user.ts';
import { findUser, type UserNames } from './users.ts';

type Relation = 'followUser' | 'unfollowUser' | 'blockUser' | 'unblockUser';

interface Change {
  readonly path: '/2/users/:id/following' | '/2/users/:id/blocking';
  readonly on: boolean;
  /** The relation to the account after the change. */
  readonly viewer: Partial<NonNullable<User['viewer']>>;
}

const CHANGES: Readonly<Record<Relation, Change>> = {
  followUser: { path: '/2/users/:id/following', on: true, viewer: { following: true } },
  unfollowUser: { path: '/2/users/:id/following', on: false, viewer: { following: false } },
  blockUser: { path: '/2/users/:id/blocking', on: true, viewer: { blocking: true, following: false, followedBy: false } },
  unblockUser: { path: '/2/users/:id/blocking', on: false, viewer: { blocking: false } },
};

/** Follows and blocks, which only some plans allow. */
export function relations({ api, watched }: Readers, names: UserNames): Pick<Primitives, Relation> {
  function change(operation: Relation): Primitives[Relation] {
    const { path, on, viewer } = CHANGES[operation];
    return async ({ user }, { signal }) => {
      const { id } = await names.me(signal);
      const { row, fetchedAt } = await findUser(api, user, signal);
      await gated(operation, [], () =>
        on
          ? api.send({ method: 'POST', path, params: { id }, json: { target_user_id: row.id }, ways: WAYS.user, signal })
          : api.send({ method: 'DELETE', path: `${path}/:target`, params: { id, target: row.id }, ways: WAYS.user, signal }),
      );
      const found = toUser(row, { fetchedAt, watched: await watched() });
      return { ...found, viewer: found.viewer && { ...found.viewer, ...viewer } };
    };
  }

  return {
    followUser: change('followUser'),
    unfollowUser: change('unfollowUser'),
    blockUser: change('blockUser'),
    unblockUser: change('unblockUser'),
  };
}

/** The followers of a user. */
export function followers(readers: Readers, names: UserNames): Primitives['getUserFollowers'] {
  return async ({ user }, options) =>
    readUsers(readers, { path: '/2/users/:id/followers', params: { id: await names.idOf(user, options.signal) } }, options);
}

/** The users that a user follows. */
export function followings(readers: Readers, names: UserNames): Primitives['getUserFollowings'] {
  return async ({ user }, options) =>
    readUsers(readers, { path: '/2/users/:id/following', params: { id: await names.idOf(user, options.signal) } }, options);
}

/** The followers of a user whom the account follows, filtered from all followers. */
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

/** The users that the account blocks. */
export function blockedUsers(readers: Readers, names: UserNames): Primitives['getBlockedUsers'] {
  return async (_, options) => {
    const { id } = await names.me(options.signal);
    return readUsers(readers, { path: '/2/users/:id/blocking', params: { id }, ways: WAYS.user }, options);
  };
}
