import type * as topic from '#src/clients/social/follows.ts';
import type { User } from '#src/clients/social/records/user.ts';
import type { PrimitivesOf } from '#src/clients/social/social.ts';
import { isFault } from '#src/http/errors.ts';
import { readRelationships } from './accounts.ts';
import type { AccountContext } from '../account-context.ts';
import { rejected, untilUndone } from '../errors.ts';
import { type AccountRow, RelationshipRow, toUser } from '../wire/account.ts';

type Follows = PrimitivesOf<typeof topic>;
type Verb = 'follow' | 'unfollow' | 'block' | 'unblock';

/** Whether the state is already set. A pending request counts as a follow. */
const DONE: Readonly<Record<'follow' | 'block', (relationship: RelationshipRow) => boolean>> = {
  follow: ({ viewer, requested }) => viewer.following || requested,
  block: ({ viewer }) => viewer.blocking,
};

/** Follows, blocks and notifications of the signed-in account. */
export function followsOperations({ api, accounts }: AccountContext): Follows {
  async function change(
    verb: Verb,
    { id }: Pick<AccountRow, 'id'>,
    json: object | undefined,
    signal: AbortSignal | undefined,
  ): Promise<RelationshipRow> {
    const scope = verb.endsWith('block') ? 'write:blocks' : 'write:follows';
    const path = `/api/v1/accounts/${encodeURIComponent(id)}/${verb}`;
    const budget = verb === 'follow' ? 'follows' : undefined;
    const creates = !verb.startsWith('un');
    return (await api.send({ method: 'POST', path, json, scope, budget, creates, signal })).json(RelationshipRow);
  }

  async function relationshipTo(id: string, signal: AbortSignal | undefined): Promise<RelationshipRow | undefined> {
    return (await readRelationships(api, [id], signal)).get(id);
  }

  /** Follows or blocks a user, unless that is already done. */
  async function doing(verb: 'follow' | 'block', name: string, signal: AbortSignal | undefined): Promise<User> {
    const row = await accounts.find(name, signal);
    const before = await relationshipTo(row.id, signal);
    if (before && DONE[verb](before)) return toUser(row, { fetchedAt: api.now(), relationship: before });
    const answered = await change(verb, row, undefined, signal).catch(async (error: unknown) => {
      // Servers answer as if the account did not exist, or the token did not allow it.
      const isOwn = isFault(error, 'missing', 'forbidden', 'rejected') && row.id === (await accounts.myId(signal));
      throw isOwn ? rejected(`an account cannot ${verb} itself.`, error) : error;
    });
    const relationship = await established(answered, DONE[verb], signal);
    if (!relationship) throw rejected(`the server did not ${verb} ${row.acct}.`);
    return toUser(row, { fetchedAt: api.now(), relationship });
  }

  /** Unfollows or unblocks a user until nothing is left. */
  async function undoing(verb: 'follow' | 'block', name: string, signal: AbortSignal | undefined): Promise<User> {
    const row = await accounts.find(name, signal);
    let relationship: RelationshipRow | undefined;
    const isLeft = async (): Promise<boolean> => DONE[verb]((relationship = await change(`un${verb}`, row, undefined, signal)));
    await untilUndone(isLeft, `the ${verb} of ${row.acct} is still there after un${verb}`);
    return toUser(row, { fetchedAt: api.now(), relationship });
  }

  /** The relationship after a change; undefined if the server did not make the change. */
  async function established(
    answered: RelationshipRow,
    isDone: (relationship: RelationshipRow) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<RelationshipRow | undefined> {
    const relationship = isDone(answered) ? answered : await relationshipTo(answered.id, signal);
    return relationship && isDone(relationship) ? relationship : undefined;
  }

  async function notify(name: string, on: boolean, signal: AbortSignal | undefined): Promise<boolean> {
    const id = await accounts.idOf(name, signal);
    const relationship = await relationshipTo(id, signal);
    const follows = relationship?.viewer.following || relationship?.requested;
    // The request would follow the user.
    if (!follows && on) throw rejected(`follow ${name} first: notifications of new posts are only for followed users.`);
    if (!follows || relationship.viewer.notifying === on) return true;
    const answered = await change('follow', { id }, { notify: on }, signal);
    const after = await established(answered, ({ viewer }) => viewer.notifying === on, signal);
    if (!after) throw rejected(`the server did not turn notifications of ${name} ${on ? 'on' : 'off'}.`);
    return true;
  }

  return {
    followUser: ({ user }, { signal }) => doing('follow', user, signal),
    unfollowUser: ({ user }, { signal }) => undoing('follow', user, signal),
    blockUser: ({ user }, { signal }) => doing('block', user, signal),
    unblockUser: ({ user }, { signal }) => undoing('block', user, signal),
    enableUserNotification: ({ user }, { signal }) => notify(user, true, signal),
    disableUserNotification: ({ user }, { signal }) => notify(user, false, signal),
  };
}
