import { PlatformError } from '#src/errors.ts';
import { isJsonList, isJsonObject } from '#src/clients/operation/json.ts';
import type { Query } from '#src/engine/planner/query.ts';
import type { Item } from '#src/rules/poll.ts';
import type { NamedUser } from '#src/engine/simulation/preview/preview-view.ts';
import type { PreviewAccounts } from './preview-accounts.ts';

/** The preview looks up at most this number of users, because each lookup is a request. */
const MAX_LOOKUPS = 20;

/** The users that the queries name. The list of live streams is the only list that omits unknown users. */
export function usersIn(queries: readonly Query[]): readonly NamedUser[] {
  return queries.flatMap(({ verb, account, params: { users } }) =>
    verb === 'streaming.getStreams' && isJsonList(users)
      ? users.flatMap((user) => (typeof user === 'string' ? [{ account, user }] : []))
      : [],
  );
}

/** The users that the platform does not have, among those without a stream. */
export async function findUnknownUsers(
  queries: readonly Query[],
  { streams, accounts }: { readonly streams: readonly Item[]; readonly accounts: Pick<PreviewAccounts, 'poll'> },
): Promise<readonly NamedUser[]> {
  const live = new Set(streams.flatMap(({ owner }) => (isJsonObject(owner) ? [owner['id'], owner['handle']] : [])));
  const offline = usersIn(queries).filter(({ user }) => !live.has(user.replace(/^@/u, '').toLowerCase()));
  const lookups = offline.slice(0, MAX_LOOKUPS).map(async ({ account, user }) => {
    try {
      await accounts.poll({ verb: 'streaming.getUser', account, params: { user } }, {});
      return [];
    } catch (error) {
      // Any other error leaves open whether the user exists.
      return error instanceof PlatformError && error.fault === 'missing' ? [{ account, user }] : [];
    }
  });
  return (await Promise.all(lookups)).flat();
}
