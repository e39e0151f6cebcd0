import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { cachedByName } from '#src/http/cache.ts';
import type { Query } from '#src/http/request-parts.ts';
import type { Page, PartialError } from '#src/clients/paging/page.ts';
import type { User } from '#src/clients/streaming/records.ts';
import { batched } from '#src/http/batched.ts';
import { batchesOf } from '#src/http/batches.ts';
import { type Helix, MOST_ROWS, type Primitives } from '../client.ts';
import { readStreams } from '../pages.ts';
import { UserRows } from '../wire/user.ts';

/** The number of followers of a channel, if Twitch states it. */
type FollowerCount = (userId: string, signal: AbortSignal | undefined) => Promise<number | undefined>;

/** One user by id or login, with their live state. */
export function user(helix: Helix, users: UserNames, followerCountOf: FollowerCount): Primitives['getUser'] {
  const liveOf = batched<boolean>({
    most: MOST_ROWS,
    async load(ids, signal) {
      const { items } = await readStreams(helix, { user_id: ids }, { signal });
      const [only, ...others] = ids;
      return new Map(only !== undefined && others.length === 0 ? [[only, items.length > 0]] : items.map(({ owner }) => [owner.id, true]));
    },
  });
  return async ({ user: name }, { signal }) => {
    const found = await users.find(name, signal);
    const [isLive = false, followerCount] = await Promise.all([liveOf(found.id, signal), followerCountOf(found.id, signal)]);
    return { ...found, ...(followerCount !== undefined && { followerCount }), isLive };
  };
}

/** Finds users. Look-ups that begin together share requests. */
export interface UserNames {
  /** A user by id or login. Digits are an id first. Throws `missing` for an unknown name. */
  find(name: string, signal: AbortSignal | undefined): Promise<User>;
  /** The id of a user; throws `missing` for an unknown name. */
  idOf(name: string, signal: AbortSignal | undefined): Promise<string>;
}

/** Looks up users and caches their ids for a day. */
export function userNames(helix: Helix, clock: Clock): UserNames {
  /** Finds users by `id 42` or `login ada`, which one request can mix. */
  const read = batched<User>({
    most: MOST_ROWS,
    async load(keys, signal) {
      const { id, login } = Object.groupBy(
        keys.map((key) => key.split(' ')),
        ([kind]) => (kind === 'id' ? 'id' : 'login'),
      );
      const { items } = await readUsers(
        helix,
        { id: id?.map(([, value]) => value ?? ''), login: login?.map(([, value]) => value ?? '') },
        signal,
      );
      return new Map(items.flatMap((one) => [[`id ${one.id}`, one] as const, [`login ${one.handle.toLowerCase()}`, one] as const]));
    },
  });

  async function find(name: string, signal: AbortSignal | undefined): Promise<User> {
    const login = toLogin(name);
    const found = (isId(name) && (await read(`id ${name}`, signal))) || (login !== undefined && (await read(`login ${login}`, signal)));
    if (found) return found;
    throw new PlatformError(`twitch has no user "${name}": check the spelling.`, { platform: 'twitch', fault: 'missing' });
  }

  return { find, idOf: cachedByName(clock, async (name, signal) => (await find(name, signal)).id) };
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
