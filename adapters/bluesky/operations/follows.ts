import type { CallOptions, WriteOptions } from '#src/clients/operation/call.ts';
import type * as topic from '#src/clients/social/follows.ts';
import type { User } from '#src/clients/social/records/user.ts';
import type { PrimitivesOf } from '#src/clients/social/social.ts';
import type { AccountContext } from '../account-context.ts';
import { failure } from '../errors.ts';
import { deleteRecords, type RecordKind, writeOneRecord } from '../repo.ts';
import { findProfile, readProfile } from './profiles.ts';
import { toUser, type Profile } from '../wire/profile.ts';

type Follows = PrimitivesOf<typeof topic>;

/** The collections of the records of follows and blocks. */
const KINDS = {
  following: 'app.bsky.graph.follow',
  blocking: 'app.bsky.graph.block',
} as const;
type Kind = keyof typeof KINDS;

/** Follows, blocks and notifications of new posts. */
export function follows(account: AccountContext): Follows {
  const { xrpc, repo, now } = account;

  async function decide(kind: Kind, name: string, options: WriteOptions): Promise<User> {
    const profile = await findProfile(account, name, options);
    // Bluesky would store it, and hide what a blocked account writes.
    if (profile.did === (await repo.did(options.signal))) throw failure('rejected', 'an account cannot follow or block itself.');
    if (profile.viewer?.[kind] === undefined) {
      await writeOneRecord(account, recordKind(kind, profile.did), { ...options, value: { subject: profile.did } });
    }
    return as(profile, kind, true);
  }

  async function undo(kind: Kind, name: string, options: WriteOptions): Promise<User> {
    const profile = await findProfile(account, name, options);
    await deleteRecords(account, recordKind(kind, profile.did), options);
    return as(profile, kind, false);
  }

  /** The user after the write, because the AppView shows the change late. */
  function as(profile: Profile, kind: Kind, is: boolean): User {
    const user = toUser(profile, now());
    const viewer = user.viewer ?? { following: false, followedBy: false, blocking: false, notifying: false, canDm: false };
    return { ...user, viewer: { ...viewer, [kind]: is } };
  }

  async function subscribe(did: string, post: boolean, { signal }: CallOptions): Promise<void> {
    const json = { subject: did, activitySubscription: { post, reply: false } };
    await xrpc.procedure('app.bsky.notification.putActivitySubscription', { json, idempotent: true }, { signal });
  }

  return {
    followUser: ({ user }, options) => decide('following', user, options),
    unfollowUser: ({ user }, options) => undo('following', user, options),
    blockUser: ({ user }, options) => decide('blocking', user, options),
    unblockUser: ({ user }, options) => undo('blocking', user, options),

    async enableUserNotification({ user }, options) {
      const profile = await readProfile(account, user, options);
      assertAllowed(profile);
      await subscribe(profile.did, true, options);
      return true;
    },

    async disableUserNotification({ user }, options) {
      await subscribe(await account.names.didOf(user, options.signal), false, options);
      return true;
    },
  };
}

/** Throws if the user does not allow notifications; the default allows them to followers. */
function assertAllowed({ handle, viewer, associated }: Profile): void {
  const allowed = associated?.activitySubscription?.allowSubscriptions ?? 'followers';
  if (allowed === 'none') throw failure('rejected', `${handle} does not allow notifications of new posts.`);
  if (viewer?.following === undefined)
    throw failure('rejected', `${handle} allows notifications of new posts only to followers: follow the user first.`);
  if (allowed === 'mutuals' && viewer.followedBy === undefined) {
    throw failure('rejected', `${handle} allows notifications of new posts only to mutual follows.`);
  }
}

function recordKind(kind: Kind, did: string): RecordKind {
  return { collection: KINDS[kind], isAbout: ({ subject }) => subject === did };
}
