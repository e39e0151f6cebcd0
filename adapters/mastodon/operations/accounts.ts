import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { cachedByName } from '#src/http/cache.ts';
import type { User } from '#src/clients/social/records/user.ts';
import { ignoreFaults } from '#src/http/errors.ts';
import { batchesOf } from '#src/http/batches.ts';
import type { Access } from '../auth/access.ts';
import type { MastodonApi } from '../client.ts';
import { missing } from '../errors.ts';
import { AccountRow, RelationshipRow, toUser } from '../wire/account.ts';
import { rowsOf } from '../wire/parts.ts';

const READ_ACCOUNTS = 'read:accounts';
const FoundAccounts = z.object({ accounts: rowsOf(AccountRow, { isRequired: true }) });

/** Finds an account by handle, id or address; throws `missing` for an unknown name. */
function accountFinder(api: MastodonApi): (name: string, signal: AbortSignal | undefined) => Promise<AccountRow> {
  const sendUnlessMissing = (request: Parameters<MastodonApi['send']>[0]) => ignoreFaults(api.send(request), 'missing', 'rejected');

  async function byId(id: string, signal: AbortSignal | undefined): Promise<AccountRow | undefined> {
    const response = await sendUnlessMissing({ path: `/api/v1/accounts/${encodeURIComponent(id)}`, scope: READ_ACCOUNTS, signal });
    return response?.json(AccountRow);
  }

  async function byHandle(acct: string, signal: AbortSignal | undefined): Promise<AccountRow | undefined> {
    const response = await sendUnlessMissing({ path: '/api/v1/accounts/lookup', query: { acct }, scope: READ_ACCOUNTS, signal });
    // Some servers lack this endpoint, and it knows only remote accounts that the server has met.
    return response?.json(AccountRow) ?? searched(acct, signal);
  }

  async function searched(acct: string, signal: AbortSignal | undefined): Promise<AccountRow | undefined> {
    const query = { q: acct, resolve: acct.includes('@'), limit: 5 };
    const response = await sendUnlessMissing({ path: '/api/v1/accounts/search', query, scope: READ_ACCOUNTS, signal });
    return response?.json(rowsOf(AccountRow)).find((row) => row.acct.toLowerCase() === acct.toLowerCase());
  }

  /** Only the general search resolves addresses. It may treat one as words and find other people. */
  async function byUrl(url: URL, signal: AbortSignal | undefined): Promise<AccountRow | undefined> {
    const [, acct] = /^\/(?:@|users\/)([^/]+)\/?$/u.exec(url.pathname) ?? [];
    if (acct !== undefined && url.host === api.domain) return byHandle(handleOf(acct, api.domain), signal);
    const query = { q: url.href, type: 'accounts', resolve: true, limit: 2 };
    const response = await sendUnlessMissing({ path: '/api/v2/search', query, scope: 'read:search', signal });
    const there = response?.json(FoundAccounts).accounts.filter((row) => isAt(row, url)) ?? [];
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
    throw missing(`user "${name}": check the spelling; users of other servers are @name@server`);
  };
}

/** Whether an account belongs to the server, and to the name, of an address. */
function isAt({ url: accountUrl, acct }: AccountRow, url: URL): boolean {
  const [, name] = /^\/@([^/@]+)/u.exec(url.pathname) ?? [];
  const isNamed = name === undefined || acct.split('@')[0]?.toLowerCase() === name.toLowerCase();
  return isNamed && accountUrl !== undefined && URL.parse(accountUrl)?.host === url.host;
}

/** The handle without `@`, and without the domain of this server. */
function handleOf(name: string, domain: string): string {
  const handle = name.replace(/^@/u, '');
  return handle.toLowerCase().endsWith(`@${domain.toLowerCase()}`) ? handle.slice(0, handle.lastIndexOf('@')) : handle;
}

/** Whether a name looks like an id: a number, a ULID or a UUID. Ids win over equal handles. */
function isLikeAnId(name: string): boolean {
  return /^\d+$/u.test(name) || (/^[0-9A-Za-z-]{16,40}$/u.test(name) && /\d/u.test(name));
}

/** The number of ids that fit into a URL on every server. */
const MOST_IDS = 40;

/** What is known of the signed-in account without a request. */
interface Me extends Pick<AccountRow, 'id' | 'defaultVisibility'> {
  /** A new sign-in may change the account. */
  readonly token: string;
}

/** The accounts that the server knows. */
export interface Accounts {
  /** Reads the signed-in account. */
  readMe(signal: AbortSignal | undefined): Promise<AccountRow>;
  /** The signed-in account, as it was read with its token. */
  me(signal: AbortSignal | undefined): Promise<Me>;
  /** The id of the signed-in account. */
  myId(signal: AbortSignal | undefined): Promise<string>;
  /** An account by handle, id or address; throws `missing` for an unknown name. */
  find(name: string, signal: AbortSignal | undefined): Promise<AccountRow>;
  idOf(name: string, signal: AbortSignal | undefined): Promise<string>;
  /** The accounts as users, with their relation to the signed-in account. */
  toUsers(rows: readonly AccountRow[], signal: AbortSignal | undefined): Promise<User[]>;
}

export function accounts(api: MastodonApi, access: Pick<Access, 'token'>, clock: Clock): Accounts {
  let known: Me | undefined;

  async function readMe(signal: AbortSignal | undefined): Promise<AccountRow> {
    const token = await access.token();
    const response = await api.send({ path: '/api/v1/accounts/verify_credentials', scope: READ_ACCOUNTS, signal });
    const row = response.json(AccountRow);
    known = { id: row.id, defaultVisibility: row.defaultVisibility, token };
    return row;
  }

  async function me(signal: AbortSignal | undefined): Promise<Me> {
    const token = await access.token();
    return known?.token === token ? known : { ...(await readMe(signal)), token };
  }

  async function myId(signal: AbortSignal | undefined): Promise<string> {
    return (await me(signal)).id;
  }

  const find = accountFinder(api);

  return {
    readMe,
    me,
    myId,
    find,
    idOf: cachedByName(
      clock,
      async (name, signal) => (await find(name, signal)).id,
      (name) => name,
    ),

    async toUsers(rows, signal) {
      const fetchedAt = api.now();
      const mine = await myId(signal);
      const others = [...new Set(rows.map(({ id }) => id))].filter((id) => id !== mine);
      const relationships = await readRelationships(api, others, signal);
      return rows.map((row) => toUser(row, { fetchedAt, relationship: relationships.get(row.id) }));
    },
  };
}

/** The relations of the signed-in account to others; empty if the server does not state them. */
export async function readRelationships(
  api: MastodonApi,
  ids: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, RelationshipRow>> {
  const relationships = { path: '/api/v1/accounts/relationships', scope: 'read:follows', row: RelationshipRow, ids, signal };
  return (await ignoreFaults(readByIds(api, relationships), 'missing', 'forbidden', 'rejected')) ?? new Map();
}

/** The rows with these ids, in batches that fit into a URL. */
export async function readByIds<T extends { readonly id: string }>(
  api: MastodonApi,
  {
    path,
    scope,
    row,
    ids,
    signal,
  }: {
    readonly path: string;
    readonly scope: string;
    readonly row: z.ZodType<T>;
    readonly ids: readonly string[];
    readonly signal: AbortSignal | undefined;
  },
): Promise<ReadonlyMap<string, T>> {
  const answers = await Promise.all(batchesOf(ids, MOST_IDS).map((part) => api.send({ path, query: { 'id[]': part }, scope, signal })));
  return new Map(answers.flatMap((answer) => answer.json(rowsOf(row))).map((one) => [one.id, one]));
}
