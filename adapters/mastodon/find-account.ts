import { z } from 'zod';
import type { MastodonApi } from './api.ts';
import { isFault, missing } from './faults.ts';
import { AccountRow } from './wire/account.ts';
import { rowsOf } from './wire/parts.ts';

const READ = 'read:accounts';
const Found = z.object({ accounts: rowsOf(AccountRow) });

/** Finds somebody by handle, id or address; a name that nobody has is `missing`. */
export function accountFinder(api: MastodonApi): (name: string, signal: AbortSignal | undefined) => Promise<AccountRow> {
  async function byId(id: string, signal: AbortSignal | undefined): Promise<AccountRow | undefined> {
    return unlessMissing(async () => {
      const response = await api.send({ path: `/api/v1/accounts/${encodeURIComponent(id)}`, scope: READ, signal });
      return response.json(AccountRow);
    });
  }

  async function byHandle(acct: string, signal: AbortSignal | undefined): Promise<AccountRow | undefined> {
    const found = await unlessMissing(async () => {
      const response = await api.send({ path: '/api/v1/accounts/lookup', query: { acct }, scope: READ, signal });
      return response.json(AccountRow);
    });
    // Not every server has that, and it knows nobody of another server whom nobody here has met.
    return found ?? searched(acct, signal);
  }

  async function searched(acct: string, signal: AbortSignal | undefined): Promise<AccountRow | undefined> {
    const rows = await unlessMissing(async () => {
      const query = { q: acct, resolve: acct.includes('@'), limit: 5 };
      return (await api.send({ path: '/api/v1/accounts/search', query, scope: READ, signal })).json(rowsOf(AccountRow));
    });
    return rows?.find((row) => row.acct.toLowerCase() === acct.toLowerCase());
  }

  /** Only the search for everything knows addresses; where it takes one for words, it finds several people, or others. */
  async function byUrl(url: URL, signal: AbortSignal | undefined): Promise<AccountRow | undefined> {
    const [, acct] = /^\/(?:@|users\/)([^/]+)\/?$/u.exec(url.pathname) ?? [];
    if (acct !== undefined && url.host === api.domain) return byHandle(handleOf(acct, api.domain), signal);
    const found = await unlessMissing(async () => {
      const query = { q: url.href, type: 'accounts', resolve: true, limit: 2 };
      return (await api.send({ path: '/api/v2/search', query, scope: 'read:search', signal })).json(Found).accounts;
    });
    const there = found?.filter((row) => isAt(row, url)) ?? [];
    return there.find((row) => row.url === url.href) ?? (there.length === 1 ? there[0] : undefined);
  }

  async function lookUp(name: string, signal: AbortSignal | undefined): Promise<AccountRow | undefined> {
    const url = /^https?:\/\//iu.test(name) ? URL.parse(name) : null;
    if (url) return byUrl(url, signal);
    if (name.startsWith('@') || name.includes('@')) return byHandle(handleOf(name, api.domain), signal);
    const [first, second] = isLikeAnId(name) ? [byId, byHandle] : [byHandle, byId];
    return (await first(name, signal)) ?? (await second(name, signal));
  }

  return async (name, signal) => {
    const found = await lookUp(name, signal);
    if (found) return found;
    throw missing(`user "${name}": check the spelling; people of other servers are @name@server`);
  };
}

/** Whether somebody is on the server of an address, under the name that it says; other addresses than `/@name` may say ids. */
function isAt({ url: own, acct }: AccountRow, url: URL): boolean {
  const [, name] = /^\/@([^/@]+)/u.exec(url.pathname) ?? [];
  const isNamed = name === undefined || acct.split('@')[0]?.toLowerCase() === name.toLowerCase();
  return isNamed && own !== undefined && URL.parse(own)?.host === url.host;
}

/** Without @, and without the server where it is this one. */
function handleOf(name: string, domain: string): string {
  const handle = name.replace(/^@/u, '');
  return handle.toLowerCase().endsWith(`@${domain.toLowerCase()}`) ? handle.slice(0, handle.lastIndexOf('@')) : handle;
}

/** Numbers, ULIDs, UUIDs and the like: whoever hands on an id means that, also where somebody is called so. */
function isLikeAnId(name: string): boolean {
  return /^\d+$/u.test(name) || (/^[0-9A-Za-z-]{16,40}$/u.test(name) && /\d/u.test(name));
}

async function unlessMissing<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isFault(error, 'missing', 'rejected')) return undefined;
    throw error;
  }
}
