import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { remembered } from '#src/http/remembered.ts';
import { WAYS } from '../access/access.ts';
import type { XApi } from '../api.ts';
import { oneOf, required } from '../wire/envelope.ts';
import { WRITE_USER_FIELDS } from '../wire/fields.ts';
import { UserRow } from '../wire/user.ts';

/** A row about a user, and when it came. */
export interface FoundUser {
  readonly row: UserRow;
  readonly fetchedAt: Date;
}

/** Which user a handle or an id means. */
export interface UserNames {
  /** The user's id; digits are taken for one. */
  idOf(name: string, signal: AbortSignal | undefined): Promise<string>;
  /** The signed-in account. */
  me(signal: AbortSignal | undefined): Promise<UserRow>;
}

/** Looks users up, and keeps what it found for a day. */
export function userNames(api: XApi, clock: Clock): UserNames {
  const idOfHandle = remembered(clock, async (handle, signal) => (await findByHandle(api, handle, signal)).row.id);
  const own = remembered(clock, async (_, signal) => (await readMe(api, signal)).row);
  return {
    idOf: async (name, signal) => (isId(name) ? name : idOfHandle(toHandle(name), signal)),
    // Somebody may sign in anew as somebody else.
    me: async (signal) => own(await api.signIn(), signal),
  };
}

const One = oneOf(UserRow);

/** The signed-in account. */
export async function readMe(api: XApi, signal: AbortSignal | undefined): Promise<FoundUser> {
  const { answer, fetchedAt } = await api.read(One, { path: '/2/users/me', fields: WRITE_USER_FIELDS, ways: WAYS.user, signal });
  return { row: required(answer, 'the signed-in account'), fetchedAt };
}

/** Digits are an id first. */
export async function findUser(api: XApi, name: string, signal: AbortSignal | undefined): Promise<FoundUser> {
  if (!isId(name)) return findByHandle(api, toHandle(name), signal);
  try {
    const { answer, fetchedAt } = await api.read(One, { path: '/2/users/:id', params: { id: name }, fields: WRITE_USER_FIELDS, signal });
    return { row: required(answer, `user ${name}`), fetchedAt };
  } catch (error) {
    if (!(error instanceof PlatformError) || error.fault !== 'missing' || name.length > LONGEST_HANDLE) throw error;
    return findByHandle(api, name, signal);
  }
}

async function findByHandle(api: XApi, handle: string, signal: AbortSignal | undefined): Promise<FoundUser> {
  const request = { path: '/2/users/by/username/:username', params: { username: handle }, fields: WRITE_USER_FIELDS, signal } as const;
  const { answer, fetchedAt } = await api.read(One, request);
  return { row: required(answer, `user @${handle}`), fetchedAt };
}

const LONGEST_HANDLE = 15;

/** Whether X could have given it out as an id. */
export function isId(name: string): boolean {
  return /^\d{1,19}$/.test(name);
}

/** The handle without its @; one that nobody can have is a `missing` PlatformError. */
export function toHandle(name: string): string {
  const [, handle] = /^@?([a-zA-Z0-9_]{1,20})$/.exec(name) ?? [];
  if (handle !== undefined) return handle;
  throw new PlatformError(`x has no user "${name}": check the spelling.`, { platform: 'x', fault: 'missing' });
}
