import type * as topic from '#src/social/follows.ts';
import type { User } from '#src/social/records/user.ts';
import type { PrimitivesOf } from '#src/social/social.ts';
import { readRelationships } from '../accounts.ts';
import type { MastodonContext } from '../context.ts';
import { rejected } from '../faults.ts';
import { toUser, type AccountRow } from '../wire/account.ts';
import { RelationshipRow } from '../wire/relationship.ts';

type Follows = PrimitivesOf<typeof topic>;
type Verb = 'follow' | 'unfollow' | 'block' | 'unblock';

/** Whom the signed-in account follows, keeps away, and wants to hear of. */
export function followsOperations({ api, accounts }: MastodonContext): Follows {
  async function say(
    verb: Verb,
    { id }: Pick<AccountRow, 'id'>,
    json: object | undefined,
    signal: AbortSignal | undefined,
  ): Promise<RelationshipRow> {
    const scope = verb.endsWith('block') ? 'write:blocks' : 'write:follows';
    const path = `/api/v1/accounts/${encodeURIComponent(id)}/${verb}`;
    const budget = verb === 'follow' ? 'follows' : undefined;
    return (await api.send({ method: 'POST', path, json, scope, budget, signal })).json(RelationshipRow);
  }

  /** Somebody after the deed; one who is asked first whether they want to be followed is not followed yet. */
  async function done(verb: Verb, name: string, signal: AbortSignal | undefined): Promise<User> {
    const row = await accounts.find(name, signal);
    const relationship = await say(verb, row, undefined, signal);
    return toUser(row, { fetchedAt: api.now(), relationship });
  }

  async function notify(name: string, on: boolean, signal: AbortSignal | undefined): Promise<boolean> {
    const id = await accounts.idOf(name, signal);
    const relationship = (await readRelationships(api, [id], signal)).get(id);
    const follows = relationship?.viewer.following || relationship?.requested;
    // The server would follow them.
    if (!follows && on) throw rejected(`follow ${name} first: a server tells of new posts of those only whom one follows.`);
    if (follows) await say('follow', { id }, { notify: on }, signal);
    return true;
  }

  return {
    followUser: ({ user }, { signal }) => done('follow', user, signal),
    unfollowUser: ({ user }, { signal }) => done('unfollow', user, signal),
    blockUser: ({ user }, { signal }) => done('block', user, signal),
    unblockUser: ({ user }, { signal }) => done('unblock', user, signal),
    enableUserNotification: ({ user }, { signal }) => notify(user, true, signal),
    disableUserNotification: ({ user }, { signal }) => notify(user, false, signal),
  };
}
