import type { z } from 'zod';
import { remembered } from '#src/http/remembered.ts';
import type { Clock } from '#src/clock.ts';
import type { User } from '#src/social/records/user.ts';
import type { Access } from './access.ts';
import type { MastodonApi } from './api.ts';
import { isFault } from './faults.ts';
import { accountFinder } from './find-account.ts';
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

export function accounts(api: MastodonApi, access: Pick<Access, 'token'>, clock: Clock): Accounts {
  /** With the token that it is the account of: somebody may sign in anew as somebody else. */
  let me: { readonly id: string; readonly token: string } | undefined;

  async function readMe(signal: AbortSignal | undefined): Promise<AccountRow> {
    const token = await access.token();
    const response = await api.send({ path: '/api/v1/accounts/verify_credentials', scope: READ, signal });
    const row = response.json(AccountRow);
    me = { id: row.id, token };
    return row;
  }

  async function myId(signal: AbortSignal | undefined): Promise<string> {
    return me && me.token === (await access.token()) ? me.id : (await readMe(signal)).id;
  }

  const find = accountFinder(api);

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
  try {
    return await readByIds(api, { path: '/api/v1/accounts/relationships', scope: 'read:follows', row: RelationshipRow, ids, signal });
  } catch (error) {
    if (isFault(error, 'missing', 'forbidden', 'rejected')) return new Map();
    throw error;
  }
}

/** What the server has under each of the ids, asked for as many at once as an address holds. */
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
  const parts = Array.from({ length: Math.ceil(ids.length / MOST_IDS) }, (_, index) => ids.slice(index * MOST_IDS, (index + 1) * MOST_IDS));
  const answers = await Promise.all(parts.map((part) => api.send({ path, query: { 'id[]': part }, scope, signal })));
  return new Map(answers.flatMap((answer) => answer.json(rowsOf(row))).map((one) => [one.id, one]));
}
