import { PlatformError } from '#src/errors.ts';
import type { User } from '#src/social/records/user.ts';
import type { Primitives, XApi } from '../api.ts';
import type { Readers } from '../pages.ts';
import { listOf } from '../wire/envelope.ts';
import { USER_FIELDS } from '../wire/fields.ts';
import { toUser, UserRow } from '../wire/user.ts';
import { findUser, isId, readMe, toHandle, type FoundUser } from './names.ts';

/** The most ids or handles that one request takes. */
const MOST_NAMES = 100;
const Users = listOf(UserRow);

/** Users by handle or id; nobody named is the signed-in account. */
export function userInfo({ api, watched }: Readers): Primitives['getUserInfo'] {
  async function toRecord({ row, fetchedAt }: FoundUser): Promise<User> {
    return toUser(row, { fetchedAt, watched: await watched() });
  }

  return async ({ user }, { signal }) => {
    if (user === undefined) return toRecord(await readMe(api, signal));
    if (typeof user === 'string') return toRecord(await findUser(api, user, signal));
    const found = await findUsers(api, user, signal);
    return Promise.all(found.map(toRecord));
  };
}

/** The id of a user by handle. */
export function userId({ api }: Readers): Primitives['getUserId'] {
  return async ({ user }, { signal }) => (await findUser(api, user, signal)).row.id;
}

/** The users in the order of their names. */
async function findUsers(api: XApi, names: readonly string[], signal: AbortSignal | undefined): Promise<readonly FoundUser[]> {
  const byId = await readMany(api, names.filter(isId), signal, 'ids');
  const handles = names.filter((name) => !byId.has(name)).map(toHandle);
  const byHandle = await readMany(api, handles, signal, 'usernames');
  return names.map((name) => {
    const found = byId.get(name) ?? byHandle.get(toHandle(name).toLowerCase());
    if (!found) throw new PlatformError(`x has no user "${name}": check the spelling.`, { platform: 'x', fault: 'missing' });
    return found;
  });
}

/** Those of the users whom there are, by what they were named. */
export async function readMany(
  api: XApi,
  names: readonly string[],
  signal: AbortSignal | undefined,
  by: 'ids' | 'usernames',
): Promise<ReadonlyMap<string, FoundUser>> {
  const wanted = [...new Set(names)];
  const batches = Array.from({ length: Math.ceil(wanted.length / MOST_NAMES) }, (_, index) =>
    wanted.slice(index * MOST_NAMES, (index + 1) * MOST_NAMES),
  );
  const answers = await Promise.all(
    batches.map(async (batch) => {
      const path = by === 'ids' ? '/2/users' : '/2/users/by';
      const { answer, fetchedAt } = await api.read(Users, { path, query: { [by]: batch.join(',') }, fields: USER_FIELDS, signal });
      return answer.data.map((row) => ({ row, fetchedAt }));
    }),
  );
  return new Map(answers.flat().map((found) => [by === 'ids' ? found.row.id : found.row.username.toLowerCase(), found]));
}
