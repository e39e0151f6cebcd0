import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Kysely, type CompiledQuery } from 'kysely';
import type { DeliveryFilter } from '#src/engine/delivery/delivery-log.ts';
import { createPool } from '#src/store/postgres/pool.ts';
import { postgresDialect } from '#src/store/postgres/dialect.ts';
import { sqliteDialect } from '#src/store/sqlite/dialect.ts';
import { openDatabase } from '#src/store/sqlite/open.ts';
import { openStore, type Store } from '#src/store/store.ts';
import type { Tables } from '#src/store/tables.ts';
import { FIRST_MS } from './many-deliveries.ts';
import type { ManualClock } from './manual-clock.ts';
import { openEmptyStore } from './postgres-stores.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A database, with the statements that ran on it. */
export interface RecordedDatabase extends AsyncDisposable {
  readonly db: Kysely<Tables>;
  readonly queries: CompiledQuery[];
}

/** Records the statements on a SQLite database. */
export function recordedSqlite(database: DatabaseSync): RecordedDatabase {
  const queries: CompiledQuery[] = [];
  const db = new Kysely<Tables>({ dialect: sqliteDialect(database), log: ({ query }) => void queries.push(query) });
  return { db, queries, [Symbol.asyncDispose]: () => db.destroy() };
}

/** Records the statements on a schema of PostgreSQL. */
export async function recordedPostgres(url: string, schema: string): Promise<RecordedDatabase> {
  const queries: CompiledQuery[] = [];
  const pool = await createPool({ url, schema, applicationName: 'test', maxConnections: 1 });
  const db = new Kysely<Tables>({ dialect: postgresDialect(pool), log: ({ query }) => void queries.push(query) });
  return { db, queries, [Symbol.asyncDispose]: () => db.destroy() };
}

/** A store, and a connection to its database. */
export interface ListedStore extends AsyncDisposable {
  readonly store: Store;
  readonly db: Kysely<Tables>;
}

export async function listedInSqlite(clock: ManualClock): Promise<ListedStore> {
  const folder = temporaryFolder({ inMemory: true });
  const file = join(folder.path, 'fanfare.sqlite');
  const store = await openStore({ file, clock });
  const second = recordedSqlite(openDatabase(file));
  return {
    store,
    db: second.db,
    async [Symbol.asyncDispose]() {
      await second[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

export async function listedInPostgres(clock: ManualClock): Promise<ListedStore> {
  const store = await openEmptyStore({ clock });
  return { store, db: store.db, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

/** Filters of the rows of `manyDeliveries`: the first one of each kind is of a large set, the second one of a small set. */
const VALUES: readonly (readonly DeliveryFilter[])[] = [
  [{ rule: 'big' }, { rule: 'rule-7' }],
  [{ item: 'twitch/big' }, { item: 'twitch/1234' }],
  [{ account: 'mastodon' }, { account: 'rare' }],
  [{ state: 'failed' }, { state: 'sent' }],
  [{ text: 'Even, odd' }, { text: 'live s123457' }],
  [{ sinceMs: FIRST_MS + 1e8, untilMs: FIRST_MS + 3e8 }, { untilMs: FIRST_MS + 2e7 }],
];

/** Each combination of filters, of large sets or of small sets, in both orders. */
export function filterCombinations(): readonly DeliveryFilter[] {
  const combined = [0, 1].flatMap((size) =>
    VALUES.reduce<readonly DeliveryFilter[]>((all, values) => all.flatMap((one) => [one, { ...one, ...values[size] }]), [{}]),
  );
  return combined.flatMap((filter) => [filter, { ...filter, order: 'oldest' as const }]);
}
