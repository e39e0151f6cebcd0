import { setImmediate as nextLoop } from 'node:timers/promises';
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Runs work in a transaction; resolves when the transaction is durable. */
export type Write = <T>(work: (trx: Transaction<Tables>) => Promise<T>) => Promise<T>;

/** A piece of work and its caller. */
interface Waiting {
  /** Runs the work. The returned function reports the result after the commit of the group. */
  readonly run: (trx: Transaction<Tables>) => Promise<() => void>;
  readonly reject: (error: unknown) => void;
}

/** Commits all work that arrives during a write in one transaction. The disk syncs once, and each piece of work fails alone. Work must be repeatable. */
export function groupCommit(db: Kysely<Tables>): Write {
  let waiting: Waiting[] = [];
  let isWriting = false;

  async function writeGroup(
    group: readonly Waiting[],
    run: (trx: Transaction<Tables>, one: Waiting) => Promise<() => void>,
  ): Promise<void> {
    const settleAll = await db.transaction().execute(async (trx) => {
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

  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push({
        reject,
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
