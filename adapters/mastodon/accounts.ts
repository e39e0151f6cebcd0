import { remembered } from '#src/http/remembered.ts';
import type { Clock } from '#src/clock.ts';
import type { User } from '#src/social/records/user.ts';
import type { MastodonApi } from './api.ts';
import { isFault, missing } from './faults.ts';
import { AccountRow, toUser } from './wire/account.ts';
import { rowsOf } from './wire/parts.ts';
import { RelationshipRow } from './wire/relationship.ts';

const READ = 'read:accounts';
/** As many ids as an address holds on any server. */
const MOST_IDS = 40;

/** Who has an account, as this server knows them. */
export interface Accounts {
  /** The signed-in account, as it is now. */
  readMe(signal: AbortSignal | undefined): Promise<AccountRow>;
  /** The id of the signed-in account. */
  myId(signal: AbortSignal | undefined): Promise<string>;
  /** Somebody by handle, id or address; a name that nobody has is `missing`. */
  find(name: string, signal: AbortSignal | undefined): Promise<AccountRow>;
  idOf(name: string, signal: AbortSignal | undefined): Promise<string>;
  /** The accounts as users, with how the signed-in one stands to them. */
  toUsers(rows: readonly AccountRow[], signal: AbortSignal | undefined): Promise<User[]>;
}

export function accounts(api: MastodonApi, clock: Clock): Accounts {
  let me: string | undefined;

  async function readMe(signal: AbortSignal | undefined): Promise<AccountRow> {
    const response = await api.send({ path: '/api/v1/accounts/verify_credentials', scope: READ, signal });
    const row = response.json(AccountRow);
    me = row.id;
    return row;
  }

  const myId = async (signal: AbortSignal | undefined): Promise<string> => me ?? (await readMe(signal)).id;
  const find = finding(api);

  return {
    readMe,
    myId,
    find,
    idOf: remembered(
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

/** How the signed-in account stands to each of them; empty where the server does not say. */
export async function readRelationships(
  api: MastodonApi,
  ids: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, RelationshipRow>> {
  const batches = Array.from({ length: Math.ceil(ids.length / MOST_IDS) }, (_, index) =>
    ids.slice(index * MOST_IDS, (index + 1) * MOST_IDS),
  );
  try {
    const answers = await Promise.all(
      batches.map((batch) => api.send({ path: '/api/v1/accounts/relationships', query: { 'id[]': batch }, scope: 'read:follows', signal })),
    );
    return new Map(answers.flatMap((answer) => answer.json(rowsOf(RelationshipRow))).map((row) => [row.id, row]));
  } catch (error) {
    if (isFault(error, 'missing', 'forbidden', 'rejected')) return new Map();
    throw error;
  }
}

function finding(api: MastodonApi): Accounts['find'] {
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
    return found ?? searched(acct, (row) => row.acct.toLowerCase() === acct.toLowerCase(), signal);
  }

  async function searched(
    q: string,
    isMeant: (row: AccountRow) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<AccountRow | undefined> {
    const rows = await unlessMissing(async () => {
      const query = { q, resolve: q.includes('@') || q.includes('/'), limit: 5 };
      return (await api.send({ path: '/api/v1/accounts/search', query, scope: 'read:accounts', signal })).json(rowsOf(AccountRow));
    });
    return rows?.find(isMeant);
  }

  async function lookUp(name: string, signal: AbortSignal | undefined): Promise<AccountRow | undefined> {
    if (/^https?:\/\//iu.test(name)) return searched(name, () => true, signal);
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
