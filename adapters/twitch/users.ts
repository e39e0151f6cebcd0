import { PlatformError } from '#src/errors.ts';
import type { Query } from '#src/http/request-parts.ts';
import type { Helix, Primitives } from './helix.ts';
import { readStreams } from './pages.ts';
import { UserRows } from './wire.ts';

/** One user by id or login; digits are an id first. */
export function user(helix: Helix): Primitives['getUser'] {
  return async ({ user: name }, { signal }) => {
    const login = toLogin(name);
    const found = (isId(name) && (await find({ id: name }))) || (login !== undefined && (await find({ login })));
    if (!found) throw new PlatformError(`twitch has no user "${name}": check the spelling.`, { platform: 'twitch', fault: 'missing' });

    const { items: live } = await readStreams(helix, { user_id: found.id }, { signal });
    return { ...found, isLive: live.length > 0 };

    async function find(query: Query) {
      const { rows, fetchedAt } = await helix.list('/users', UserRows, query, { signal });
      return rows[0] && { ...rows[0], fetchedAt };
    }
  };
}

/** Whether Twitch could have given it out as an id. */
export function isId(name: string): boolean {
  return /^\d{1,19}$/.test(name);
}

/** The login that a handle means; undefined where nobody can have it. */
export function toLogin(handle: string): string | undefined {
  return /^[a-zA-Z0-9_]{1,25}$/.test(handle) ? handle.toLowerCase() : undefined;
}
