import { setImmediate as breath } from 'node:timers/promises';
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Writes to the database, whole or not at all; resolves when it is there for good. */
export type Write = <T>(work: (trx: Transaction<Tables>) => Promise<T>) => Promise<T>;

/** A piece of work and whoever waits for it. */
interface Waiting {
  /** Does it; the answer is told when all of its group is written. */
  readonly run: (trx: Transaction<Tables>) => Promise<() => void>;
  readonly reject: (error: unknown) => void;
}

/** Writes what comes while something else is being written in one transaction: the disk is waited for once, each fails for itself. */
export function grouped(db: Kysely<Tables>): Write {
  let waiting: Waiting[] = [];
  let isWriting = false;

  async function writeGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const tellAll = await db.transaction().execute(async (trx) => {
        const done: (() => void)[] = [];
        for (const one of group) done.push(await one.run(trx));
        return done;
      });
      for (const tell of tellAll) tell();
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  async function writeAll(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    while (waiting.length > 0) {
      // Those who are about to come are taken along.
      await breath();
      const group = waiting;
      waiting = [];
      await writeGroup(group);
    }
    isWriting = false;
  }

  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push({
        reject,
        async run(trx) {
          await sql`savepoint one`.execute(trx);
          try {
            const value = await work(trx);
            await sql`release one`.execute(trx);
            return () => resolve(value);
          } catch (error) {
            // Where the database has taken back everything, as on a full disk, the whole group has failed of it.
            await sql`rollback to one`.execute(trx).catch(() => Promise.reject(error));
            return () => reject(error);
          }
        },
      });
      void writeAll();
    });
}
