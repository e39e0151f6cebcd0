import type { Client } from 'pg';
import { sql, type Kysely } from 'kysely';
import type { Clock } from '#src/clock.ts';
import type { HeldLock, ProcessLock } from '#src/store/process-lock.ts';
import type { Tables } from '#src/store/tables.ts';
import { DatabaseUnavailable, isLostConnection } from './database-error.ts';

const RETRY_MS = 250;
const IDLE_MS = 20_000;

export interface AdvisoryLockOptions {
  /** Opens a connection that only the lock uses. */
  readonly connect: () => Promise<Client>;
  /** The schema that the lock protects. */
  readonly schema: string;
  /** The purpose of the lock, for example `answerer`. */
  readonly name: string;
  readonly clock: Clock;
  /** PostgreSQL releases the lock of a process that is frozen for this time. */
  readonly idleMs?: number | undefined;
}

/**
 * Creates a lock in the database. PostgreSQL releases it when the connection of its holder ends, even without a notice to the holder, so
 * it only prevents unnecessary work.
 */
export function createAdvisoryLock({ connect, schema, name, clock, idleMs = IDLE_MS }: AdvisoryLockOptions): ProcessLock {
  let holder: Client | undefined;
  let lost = new AbortController();
  let released = new AbortController();

  /** Shows that this process is not frozen, until it releases the lock. Rejects if its connection is lost. */
  async function keepAlive(client: Client, signal: AbortSignal): Promise<void> {
    for (;;) {
      await clock.sleep(idleMs / 4, signal);
      await answerWithin(client, idleMs / 2, signal);
    }
  }

  async function answerWithin(client: Client, ms: number, signal: AbortSignal): Promise<void> {
    const answered = new AbortController();
    const late = clock.sleep(ms, AbortSignal.any([signal, answered.signal])).then(
      () => Promise.reject(new Error('the database does not answer')),
      () => undefined,
    );
    try {
      await Promise.race([client.query('select 1'), late]);
    } finally {
      answered.abort();
    }
  }

  function release(client: Client): void {
    if (holder === client) {
      holder = undefined;
      released.abort();
    }
    // The database releases the lock of a lost connection.
    client.end().catch(() => undefined);
  }

  async function tryClaim(client: Client): Promise<boolean> {
    if (holder) return false;
    const { rows } = await client.query<{ readonly taken: boolean }>('select pg_try_advisory_lock(hashtextextended($1, 0)) as taken', [
      `${schema} ${name}`,
    ]);
    if (rows[0]?.taken !== true) return false;
    holder = client;
    const controllers = { released: (released = new AbortController()), lost: (lost = new AbortController()) };
    const lose = (): void => {
      if (!controllers.released.signal.aborted)
        controllers.lost.abort(new DatabaseUnavailable(new Error('the connection of a lock ended')));
    };
    client.on('end', lose);
    keepAlive(client, released.signal).catch(lose);
    return true;
  }

  return {
    async claim({ signal, onWait }): Promise<HeldLock> {
      signal.throwIfAborted();
      const client = await connect().catch((cause: unknown) => {
        throw new DatabaseUnavailable(cause);
      });
      try {
        await client.query(`set idle_session_timeout = ${idleMs}`);
        if (!(await tryClaim(client))) {
          onWait?.();
          do await clock.sleep(RETRY_MS, signal);
          while (!(await tryClaim(client)));
        }
        return { lost: lost.signal, [Symbol.dispose]: () => release(client) };
      } catch (error) {
        release(client);
        if (signal.aborted || !isLostConnection(error)) throw error;
        throw new DatabaseUnavailable(error);
      }
    },
    close: () => holder && release(holder),
  };
}

/** Runs work unless another process runs work with the same name. */
export async function runAlone(db: Kysely<Tables>, name: string, work: () => Promise<void>): Promise<void> {
  await db.connection().execute(async (connection) => {
    const key = sql`hashtextextended(${name}, 0)`;
    const { rows } = await sql<{ readonly taken: boolean }>`select pg_try_advisory_lock(${key}) as taken`.execute(connection);
    if (rows[0]?.taken !== true) return;
    try {
      await work();
    } finally {
      await sql`select pg_advisory_unlock(${key})`.execute(connection);
    }
  });
}
