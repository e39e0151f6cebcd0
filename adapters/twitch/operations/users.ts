import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { cachedByName } from '#src/http/cache.ts';
import type { Query } from '#src/http/request-parts.ts';
import type { Page, PartialError } from '#src/paging/page.ts';
import type { User } from '#src/streaming/records.ts';
import { batchesOf } from '#src/http/batches.ts';
import { type Helix, MOST_ROWS, type Primitives } from '../client.ts';
import { readStreams } from '../pages.ts';
import { UserRows } from '../wire/user.ts';

/** One user by id or login, with their live state. */
export function user(helix: Helix): Primitives['getUser'] {
  return async ({ user: name }, { signal }) => {
    const found = await findUser(helix, name, signal);
    const { items: live } = await readStreams(helix, { user_id: found.id }, { signal });
    return { ...found, isLive: live.length > 0 };
  };
}

/** Resolves handles to ids. */
export interface UserNames {
  /** The id of a user; throws `missing` for an unknown name. */
  idOf(name: string, signal: AbortSignal | undefined): Promise<string>;
}

/** Looks up users and caches their ids for a day. */
export function userNames(helix: Helix, clock: Clock): UserNames {
  return { idOf: cachedByName(clock, async (name, signal) => (await findUser(helix, name, signal)).id) };
}

interface UsersById {
  readonly users: ReadonlyMap<string, User>;
  readonly partialErrors: readonly PartialError[];
}

/** The existing users by id. */
export async function usersById(helix: Helix, ids: readonly string[], signal: AbortSignal | undefined): Promise<UsersById> {
  const pages = await Promise.all(batchesOf(ids, MOST_ROWS).map((id) => readUsers(helix, { id }, signal)));
  return {
    users: new Map(pages.flatMap(({ items }) => items).map((found) => [found.id, found])),
    partialErrors: pages.flatMap(({ partialErrors = [] }) => partialErrors),
  };
}

/** Finds a user by id or login. Digits are an id first. */
async function findUser(helix: Helix, name: string, signal: AbortSignal | undefined): Promise<User> {
  const [numbered] = isId(name) ? (await readUsers(helix, { id: name }, signal)).items : [];
  if (numbered) return numbered;
  const login = toLogin(name);
  const [named] = login === undefined ? [] : (await readUsers(helix, { login }, signal)).items;
  if (named) return named;
  throw new PlatformError(`twitch has no user "${name}": check the spelling.`, { platform: 'twitch', fault: 'missing' });
}

async function readUsers(helix: Helix, query: Query, signal: AbortSignal | undefined): Promise<Page<User>> {
  const { rows, partialErrors, fetchedAt } = await helix.list('/users', UserRows, query, { signal });
  return { items: rows.map((row) => ({ ...row, fetchedAt })), partialErrors };
}

/** Whether a name has the form of an id. */
export function isId(name: string): boolean {
  return /^\d{1,19}$/.test(name);
}

/** The login of a handle; undefined if it is not a valid login. */
export function toLogin(handle: string): string | undefined {
  return /^[a-zA-Z0-9_]{1,25}$/.test(handle) ? handle.toLowerCase() : undefined;
}
