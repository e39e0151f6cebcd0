import type { User } from '#src/social/records/user.ts';
import { WAYS } from '../access/access.ts';
import type { Primitives } from '../api.ts';
import { gated } from '../gated.ts';
import type { Readers } from '../pages.ts';
import { toUser } from '../wire/user.ts';
import { findUser, type UserNames } from './names.ts';

type Relation = 'followUser' | 'unfollowUser' | 'blockUser' | 'unblockUser';

interface Change {
  readonly path: '/2/users/:id/following' | '/2/users/:id/blocking';
  readonly on: boolean;
  /** How the user stands to the account then. */
  readonly viewer: Partial<NonNullable<User['viewer']>>;
}

const CHANGES: Readonly<Record<Relation, Change>> = {
  followUser: { path: '/2/users/:id/following', on: true, viewer: { following: true } },
  unfollowUser: { path: '/2/users/:id/following', on: false, viewer: { following: false } },
  blockUser: { path: '/2/users/:id/blocking', on: true, viewer: { blocking: true, following: false, followedBy: false } },
  unblockUser: { path: '/2/users/:id/blocking', on: false, viewer: { blocking: false } },
};

/** How the account stands to others, where the plan of the app lets it change that. */
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
