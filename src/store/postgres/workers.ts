import { sql, type InsertObject, type Kysely, type Transaction } from 'kysely';
import type { Client } from 'pg';
import { hostname } from 'node:os';
import { ConfigError } from '#src/errors.ts';
import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { SharedTables } from './shared-tables.ts';
import { tooNew } from './cannot-open.ts';
import { NOW_MS } from './now.ts';

const COUNT_MS = 5_000;
/** A process without a sign of life for so long is dead. */
export const DEAD_AFTER_MS = 20_000;

/** A running process. */
interface LiveWorker {
  readonly id: string;
  readonly role: string;
  readonly host: string;
  readonly startedMs: number;
  readonly seenMs: number;
  /** Null for a process of an older version; empty without a key. */
  readonly keyFingerprint: string;
}

/** The running processes that share the state. */
export interface Workers extends AsyncDisposable {
  /** Whether no other process was alive when this one started. */
  readonly wasAlone: boolean;
  /** The share of this process in the work of the processes that send and poll. */
  share(): number;
  live(): Promise<readonly LiveWorker[]>;
  /** Reports that this process is alive. Resolves with the time of the database. */
  sign(client: Client): Promise<number>;
  /** Counts the processes until `signal` aborts. Throws `ConfigError` if a newer program migrated the schema. */
  run(signal: AbortSignal): Promise<void>;
}

export interface WorkersOptions {
  readonly db: Kysely<SharedTables>;
  readonly id: string;
  readonly role: string;
  /** By which processes compare their keys; absent without a key. */
  readonly keyFingerprint?: string | undefined;
  /** The newest version of the schema that this program knows. */
  readonly schemaVersion: number;
  readonly clock: Clock;
  readonly log: Log;
}

const isAlive = sql<boolean>`seen_ms > ${NOW_MS} - ${DEAD_AFTER_MS}`;

function liveWorkers(db: Kysely<SharedTables>): Promise<readonly LiveWorker[]> {
  return db
    .selectFrom('worker')
    .select(['id', 'role', 'host', 'started_ms as startedMs', 'seen_ms as seenMs', 'key_fingerprint as keyFingerprint'])
    .where(isAlive)
    .orderBy('id')
    .execute();
}

/** The names of the running processes whose key differs from this one; a process without a key has an empty fingerprint. */
export async function workersWithOtherKey(db: Kysely<SharedTables>, keyFingerprint = ''): Promise<readonly string[]> {
  const others = (await liveWorkers(db)).filter((one) => one.keyFingerprint !== keyFingerprint);
  return others.map(({ id, host }) => `${id} on ${host}`);
}

/** Registers this process among those that share the state. */
export async function joinWorkers({ db, id, role, schemaVersion, keyFingerprint = '', clock, log }: WorkersOptions): Promise<Workers> {
  const row = {
    id,
    role,
    host: hostname(),
    schema_version: schemaVersion,
    started_ms: NOW_MS,
    seen_ms: NOW_MS,
    key_fingerprint: keyFingerprint,
  };
  const { wasAlone, startedMs } = await db.transaction().execute((trx) => register(trx, row));
  let isNamedAlone = true;
  let count = await countWorking(db);

  const { sql: text, parameters } = db
    .insertInto('worker')
    .values({ ...row, started_ms: startedMs })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_ms: NOW_MS }))
    .returning(['seen_ms', 'started_ms'])
    .compile();

  return {
    wasAlone,
    share: () => 1 / count,
    live: () => liveWorkers(db),

    async sign(client) {
      const { rows } = await client.query<{ readonly seen_ms: number; readonly started_ms: number }>(text, [...parameters]);
      const { seen_ms, started_ms } = rows[0] ?? { seen_ms: 0, started_ms: startedMs };
      if (started_ms !== startedMs && isNamedAlone) {
        isNamedAlone = false;
        log.error(
          { id },
          'another process has the same name, so each of them ignores messages of the other: give each process its own FANFARE_WORKER',
        );
      }
      return seen_ms;
    },

    async run(signal) {
      while (!signal.aborted) {
        await clock.sleep(COUNT_MS, signal).catch(() => undefined);
        if (signal.aborted) return;
        try {
          await assertSchemaKnown(db, schemaVersion);
          count = await countWorking(db);
        } catch (error) {
          if (error instanceof ConfigError) throw error;
          log.debug({ error }, 'the workers could not be counted');
        }
      }
    },

    async [Symbol.asyncDispose]() {
      // Otherwise, the others notice its end later.
      await db
        .deleteFrom('worker')
        .where('id', '=', id)
        .execute()
        .catch(() => undefined);
    },
  };
}

/** Adds this process, and removes the dead ones. Of processes that start at once, the first one is alone. */
async function register(
  trx: Transaction<SharedTables>,
  row: InsertObject<SharedTables, 'worker'> & Readonly<Record<'id', string>> & Readonly<Record<'schema_version', number>>,
): Promise<{ readonly wasAlone: boolean; readonly startedMs: number }> {
  await sql`lock table worker in exclusive mode`.execute(trx);
  await assertSchemaKnown(trx, row.schema_version);
  // A killed process that starts again may have the name of the one before.
  await trx
    .deleteFrom('worker')
    .where(sql<boolean>`not ${isAlive} or id = ${row.id}`)
    .execute();
  const other = await trx.selectFrom('worker').select('id').limit(1).executeTakeFirst();
  const { started_ms } = await trx.insertInto('worker').values(row).returning('started_ms').executeTakeFirstOrThrow();
  return { wasAlone: other === undefined, startedMs: started_ms };
}

/** Throws if the schema needs a newer program. A process that did not answer for a while may have missed a migration. */
async function assertSchemaKnown(db: Kysely<SharedTables>, schemaVersion: number): Promise<void> {
  const { rows } = await sql<{ readonly version: number }>`
    select version from schema_version where works_with > ${schemaVersion} order by version desc limit 1
  `.execute(db);
  if (rows[0]) throw tooNew(rows[0].version, schemaVersion);
}

async function countWorking(db: Kysely<SharedTables>): Promise<number> {
  return Math.max(1, (await liveWorkers(db)).filter((one) => one.role === 'all' || one.role === 'worker').length);
}
