import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { cachedByName } from '#src/http/cache.ts';
import type { User } from '#src/clients/social/records/user.ts';
import { isFault } from '#src/http/errors.ts';
import { batchesOf } from '#src/http/batches.ts';
import { WAYS } from '../auth/access.ts';
import type { Primitives, XApi } from '../client.ts';
import { faultOfProblem, type Problem } from '../errors.ts';
import type { Readers } from '../pages.ts';
import { listOf, oneOf, partsOf, refusal, required, valuesOf } from '../wire/envelope.ts';
import { USER_FIELDS, WRITE_USER_FIELDS } from '../wire/fields.ts';
import { toUser, UserRow } from '../wire/user.ts';

/** A user row and the time of the response. */
interface FoundUser {
  readonly row: UserRow;
  readonly fetchedAt: Date;
}

/** Resolves handles to ids. */
export interface UserNames {
  /** The id of a user. A name of digits is an id. */
  idOf(name: string, signal: AbortSignal | undefined): Promise<string>;
  /** The signed-in account. */
  me(signal: AbortSignal | undefined): Promise<UserRow>;
}

/** Looks up users and caches their ids for a day. */
export function userNames(api: XApi, clock: Clock): UserNames {
  const idOfHandle = cachedByName(clock, async (handle, signal) => (await findByHandle(api, handle, signal)).row.id);
  const accountOf = cachedByName(clock, async (_, signal) => (await readMe(api, signal)).row);
  return {
    idOf: async (name, signal) => (isId(name) ? name : idOfHandle(toHandle(name), signal)),
    // A new sign-in may be of another user.
    me: async (signal) => accountOf(await api.signIn(), signal),
  };
}

const OneUser = oneOf(UserRow);

/** The signed-in account. */
async function readMe(api: XApi, signal: AbortSignal | undefined): Promise<FoundUser> {
  const { answer, fetchedAt } = await api.read(OneUser, { path: '/2/users/me', fields: WRITE_USER_FIELDS, ways: WAYS.user, signal });
  return { row: required(answer, 'the signed-in account'), fetchedAt };
}

/** Finds a user by id or handle. Digits are an id first. */
export async function findUser(api: XApi, name: string, signal: AbortSignal | undefined): Promise<FoundUser> {
  if (!isId(name)) return findByHandle(api, toHandle(name), signal);
  try {
    const { answer, fetchedAt } = await api.read(OneUser, {
      path: '/2/users/:id',
      params: { id: name },
      fields: WRITE_USER_FIELDS,
      signal,
    });
    return { row: required(answer, `user ${name}`), fetchedAt };
  } catch (error) {
    if (!isFault(error, 'missing') || name.length > LONGEST_HANDLE) throw error;
    return findByHandle(api, name, signal);
  }
}

async function findByHandle(api: XApi, handle: string, signal: AbortSignal | undefined): Promise<FoundUser> {
  const request = { path: '/2/users/by/username/:username', params: { username: handle }, fields: WRITE_USER_FIELDS, signal } as const;
  const { answer, fetchedAt } = await api.read(OneUser, request);
  return { row: required(answer, `user @${handle}`), fetchedAt };
}

const LONGEST_HANDLE = 15;

/** Whether a name has the form of an id. */
export function isId(name: string): boolean {
  return /^\d{1,19}$/.test(name);
}

/** The handle without @; throws `missing` for an invalid handle. */
function toHandle(name: string): string {
  const [, handle] = /^@?([a-zA-Z0-9_]{1,20})$/.exec(name) ?? [];
  if (handle !== undefined) return handle;
  throw unknownUser(name);
}

function unknownUser(name: string): PlatformError {
  return new PlatformError(`x has no user "${name}": check the spelling.`, { platform: 'x', fault: 'missing' });
}

/** The most ids or handles that one request takes. */
const MOST_NAMES = 100;
const UserRows = listOf(UserRow);

/** Users by handle or id; absent: the signed-in account. */
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

/** Finds users, in the order of `names`. */
async function findUsers(api: XApi, names: readonly string[], signal: AbortSignal | undefined): Promise<readonly FoundUser[]> {
  const byId = await readMany(api, names.filter(isId), signal, 'ids');
  const handles = names.filter((name) => !byId.users.has(name) && canBeHandle(name, byId)).map(toHandle);
  const byHandle = await readMany(api, handles, signal, 'usernames');
  return names.map((name) => {
    const handle = isId(name) ? name : toHandle(name).toLowerCase();
    const found = byId.users.get(name) ?? byHandle.users.get(handle);
    if (found) return found;
    const problem = byId.refusals.get(name) ?? byHandle.refusals.get(handle);
    throw problem ? refusal(problem, `user ${name}`, 'X does not return it.') : unknownUser(name);
  });
}

/** Whether a name that is no known id may be a handle. */
function canBeHandle(name: string, { refusals }: ManyUsers): boolean {
  return !isId(name) || (name.length <= LONGEST_HANDLE && !refusals.has(name));
}

/** Users by their id or lower-case handle. */
interface ManyUsers {
  readonly users: ReadonlyMap<string, FoundUser>;
  /** The problems of existing users that X does not show, for example of suspended ones. */
  readonly refusals: ReadonlyMap<string, Problem>;
}

/** Reads users by their ids or handles. */
export async function readMany(
  api: XApi,
  names: readonly string[],
  signal: AbortSignal | undefined,
  by: 'ids' | 'usernames',
): Promise<ManyUsers> {
  const batches = batchesOf([...new Set(names)], MOST_NAMES);
  const answers = await Promise.all(
    batches.map(async (batch) => {
      const path = by === 'ids' ? '/2/users' : '/2/users/by';
      const { answer, fetchedAt } = await api.read(UserRows, { path, query: { [by]: batch.join(',') }, fields: USER_FIELDS, signal });
      // A problem that names no user concerns the whole request.
      partsOf(answer, { path });
      return { found: answer.data.map((row) => ({ row, fetchedAt })), problems: answer.problems };
    }),
  );
  const users = answers.flatMap(({ found }) => found);
  const refused = answers.flatMap(({ problems }) => problems).filter((problem) => faultOfProblem(problem) !== 'missing');
  return {
    users: new Map(users.map((found) => [by === 'ids' ? found.row.id : found.row.username.toLowerCase(), found])),
    refusals: new Map(refused.flatMap((problem) => valuesOf(problem).map((value) => [value.toLowerCase(), problem]))),
  };
}
