import { sql, type Kysely } from 'kysely';
import { hostname } from 'node:os';
import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { ClusterTables } from './cluster-tables.ts';
import { NOW_MS } from './now.ts';

const SIGN_MS = 5_000;
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
  readonly keyFingerprint: string | null;
}

/** The running processes that share the state. */
export interface Workers extends AsyncDisposable {
  /** Whether no other process was alive when this one started. */
  readonly wasAlone: boolean;
  /** The share of this process in the work of the processes that send and poll. */
  share(): number;
  live(): Promise<readonly LiveWorker[]>;
  /** Reports that this process is alive until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
}

export interface WorkersOptions {
  readonly db: Kysely<ClusterTables>;
  readonly id: string;
  readonly role: string;
  /** By which processes compare their keys; absent without a key. */
  readonly keyFingerprint?: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

const isAlive = sql<boolean>`seen_ms > ${NOW_MS} - ${DEAD_AFTER_MS}`;

function liveWorkers(db: Kysely<ClusterTables>): Promise<readonly LiveWorker[]> {
  return db
    .selectFrom('worker')
    .select(['id', 'role', 'host', 'started_ms as startedMs', 'seen_ms as seenMs', 'key_fingerprint as keyFingerprint'])
    .where(isAlive)
    .orderBy('id')
    .execute();
}

/** The names of the running processes whose key differs from this one; a process without a key has an empty fingerprint. */
export async function workersWithOtherKey(db: Kysely<ClusterTables>, keyFingerprint = ''): Promise<readonly string[]> {
  const others = (await liveWorkers(db)).filter((one) => one.keyFingerprint !== null && one.keyFingerprint !== keyFingerprint);
  return others.map(({ id, host }) => `${id} on ${host}`);
}

/** Registers this process among those that share the state. */
export async function joinWorkers({ db, id, role, keyFingerprint = '', clock, log }: WorkersOptions): Promise<Workers> {
  const row = { id, role, host: hostname(), started_ms: NOW_MS, seen_ms: NOW_MS, key_fingerprint: keyFingerprint };
  const live = (): Promise<readonly LiveWorker[]> => liveWorkers(db);

  const wasAlone = await db.transaction().execute(async (trx) => {
    // Of processes that start at once, the first one is alone.
    await sql`lock table worker in exclusive mode`.execute(trx);
    // A killed process that starts again may have the name of the one before.
    await trx
      .deleteFrom('worker')
      .where(sql<boolean>`not ${isAlive} or id = ${id}`)
      .execute();
    const other = await trx.selectFrom('worker').select('id').limit(1).executeTakeFirst();
    await trx.insertInto('worker').values(row).execute();
    return other === undefined;
  });
  let count = await countWorking();

  async function countWorking(): Promise<number> {
    return Math.max(1, (await live()).filter((one) => one.role === 'all' || one.role === 'worker').length);
  }

  async function sign(): Promise<void> {
    await db
      .insertInto('worker')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_ms: NOW_MS }))
      .execute();
    count = await countWorking();
  }

  return {
    wasAlone,
    share: () => 1 / count,
    live,

    async run(signal) {
      while (!signal.aborted) {
        await clock.sleep(SIGN_MS, signal).catch(() => undefined);
        if (!signal.aborted) await sign().catch((error: unknown) => log.debug({ error }, 'this worker could not report that it is alive'));
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
