import { setImmediate as nextLoop } from 'node:timers/promises';
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Clock } from '#src/clock.ts';
import type { Tables } from './tables.ts';

/** Runs work in a transaction; resolves when the transaction is durable, or committed if it may be lost. */
export type Write = <T>(work: (trx: Transaction<Tables>) => Promise<T>, options?: WriteOptions) => Promise<T>;

export interface WriteOptions {
  /** Whether a power failure may undo the work, if it also undoes all work since then. Absent: it may not. */
  readonly mayBeLost?: boolean | undefined;
}

type Transact = <T>(work: (trx: Transaction<Tables>) => Promise<T>) => Promise<T>;

export interface GroupCommitOptions {
  readonly clock: Clock;
  /** Runs a transaction without a sync of the disk. The next synced transaction makes it durable. */
  readonly withoutSync: Transact;
}

/** A power failure undoes no work that is older than this, in milliseconds. */
const MAY_BE_LOST_MS = 30_000;

/** A piece of work and its caller. */
interface Waiting {
  /** Runs the work. The returned function reports the result after the commit of the group. */
  readonly run: (trx: Transaction<Tables>) => Promise<() => void>;
  readonly reject: (error: unknown) => void;
  readonly mayBeLost: boolean;
}

/** Commits all work that arrives during a write in one transaction. The disk syncs once, and each piece of work fails alone. Work must be repeatable. */
export function groupCommit(db: Kysely<Tables>, options?: GroupCommitOptions): Write {
  const synced: Transact = (work) => db.transaction().execute(work);
  let waiting: Waiting[] = [];
  let isWriting = false;
  let syncedMs: number | undefined;

  /** The kind of transaction for a group. Work that may be lost waits for the disk only if no other work did for some time. */
  function transactionOf(group: readonly Waiting[]): Transact {
    if (!options) return synced;
    const nowMs = options.clock.nowMs();
    // The clock may be set back.
    const isRecent = syncedMs !== undefined && Math.abs(nowMs - syncedMs) < MAY_BE_LOST_MS;
    if (isRecent && group.every(({ mayBeLost }) => mayBeLost)) return options.withoutSync;
    return async (work) => {
      const result = await synced(work);
      syncedMs = nowMs;
      return result;
    };
  }

  async function writeGroup(
    group: readonly Waiting[],
    run: (trx: Transaction<Tables>, one: Waiting) => Promise<() => void>,
  ): Promise<void> {
    const transact = transactionOf(group);
    const settleAll = await transact(async (trx) => {
      const done: (() => void)[] = [];
      for (const one of group) done.push(await run(trx, one));
      return done;
    });
    for (const settle of settleAll) settle();
  }

  async function writeAll(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    while (waiting.length > 0) {
      // Work that starts in this tick joins the group.
      await nextLoop();
      const group = waiting;
      waiting = [];
      try {
        // Work fails rarely, so savepoints are made only after a failure.
        await writeGroup(group, (trx, one) => one.run(trx)).catch(() => writeGroup(group, runAlone));
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    isWriting = false;
  }

  return (work, { mayBeLost = false } = {}) =>
    new Promise((resolve, reject) => {
      waiting.push({
        reject,
        mayBeLost,
        async run(trx) {
          const value = await work(trx);
          return () => resolve(value);
        },
      });
      void writeAll();
    });
}

/** Runs work that may fail, so that its failure undoes nothing else. */
async function runAlone(trx: Transaction<Tables>, { run, reject }: Waiting): Promise<() => void> {
  await sql`savepoint one`.execute(trx);
  try {
    const settle = await run(trx);
    await sql`release one`.execute(trx);
    return settle;
  } catch (error) {
    // If the database rolled back everything, for example on a full disk, the whole group fails.
    await sql`rollback to one`.execute(trx).catch(() => Promise.reject(error));
    return () => reject(error);
  }
}
