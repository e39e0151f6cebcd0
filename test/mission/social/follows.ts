import type { Choice } from '#src/social/arguments.ts';
import type { User } from '#src/social/records/user.ts';
import type { WriteOptions } from '#src/operation/call.ts';
import type { SocialAsync } from '#src/social/social.ts';
import { changes, row, type Row } from '../rows.ts';
import { userForms } from './forms.ts';
import type { SocialGround } from './ground.ts';
import { ME } from './installation/past.ts';
import { blocks, followersOf, follows, hearsSinceMs, partedFromMe } from './world/people.ts';

type Call<R> = (client: SocialAsync, user: Choice<User>, options?: WriteOptions) => Promise<R>;

interface State {
  readonly following: boolean;
  readonly followedBy: boolean;
  readonly blocking: boolean;
  readonly notifying: boolean;
}

const NOTHING: State = { following: false, followedBy: false, blocking: false, notifying: false };

/** How the account and somebody stand to each other in the store. */
function between(ground: SocialGround, id: string): State {
  return {
    following: follows(ground, ME, id),
    followedBy: follows(ground, id, ME),
    blocking: blocks(ground, ME, id),
    notifying: hearsSinceMs(ground, ME, id) !== undefined,
  };
}

/** Somebody who follows the account, and what the account has said about them before. */
async function somebody(ground: SocialGround, ...before: readonly Call<unknown>[]): Promise<string> {
  const id = ground.take('person');
  for (const apply of before) await apply(ground.client, id);
  return id;
}

const follow: Call<User> = (client, user) => client.followUser(user);
const block: Call<User> = (client, user) => client.blockUser(user);
const hear: Call<boolean> = (client, user) => client.enableUserNotification(user);

interface Change {
  readonly before?: readonly Call<unknown>[];
  readonly from: State;
  readonly to: State;
}

/** Answers with the user as they are then. */
function changesUser(name: string, call: Call<User>, { before = [], from, to }: Change): Row<SocialGround> {
  return row(
    name,
    changes(userForms('user_id'), {
      subject: (ground: SocialGround) => somebody(ground, ...before),
      call: ({ client }, user) => call(client, user),
      observe: between,
      from,
      to,
      answer: {
        seen: ({ id, viewer, followerCount }) => ({ id, viewer, followerCount }),
        holds: (ground, id) => ({
          id,
          viewer: { ...to, canDm: !partedFromMe(ground).has(id) },
          followerCount: followersOf(ground, id).length,
        }),
      },
    }),
  );
}

function switches(name: string, call: Call<boolean>, { before = [], from, to }: Change): Row<SocialGround> {
  return row(
    name,
    changes(userForms('user_id'), {
      subject: (ground: SocialGround) => somebody(ground, ...before),
      call: ({ client }, user) => call(client, user),
      observe: between,
      from,
      to,
    }),
  );
}

export function followRows(): readonly Row<SocialGround>[] {
  return [
    changesUser('follow_user', follow, { from: NOTHING, to: { ...NOTHING, following: true } }),
    changesUser('unfollow_user', (client, user) => client.unfollowUser(user), {
      before: [follow],
      from: { ...NOTHING, following: true },
      to: NOTHING,
    }),
    changesUser('block_user', block, {
      before: [follow, hear],
      from: { ...NOTHING, following: true, notifying: true },
      to: { ...NOTHING, blocking: true },
    }),
    changesUser('unblock_user', (client, user) => client.unblockUser(user), {
      before: [follow, block],
      from: { ...NOTHING, blocking: true },
      to: NOTHING,
    }),
    switches('enable_user_notification', hear, { from: NOTHING, to: { ...NOTHING, notifying: true } }),
    switches('disable_user_notification', (client, user) => client.disableUserNotification(user), {
      before: [hear],
      from: { ...NOTHING, notifying: true },
      to: NOTHING,
    }),
  ];
}
