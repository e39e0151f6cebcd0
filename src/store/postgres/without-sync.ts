import { sql, type Transaction } from 'kysely';
import type { Tables } from '../tables.ts';

const ASYNCHRONOUS = sql`set local synchronous_commit = off`;

/** Work whose commit does not wait for the disk. A crash of the database can undo it, with all transactions after it. */
export function withoutSync<T>(work: (trx: Transaction<Tables>) => Promise<T>): (trx: Transaction<Tables>) => Promise<T> {
  return async (trx) => {
    // If it fails, the next statement of the transaction fails too. Waiting for it would take a round trip.
    ASYNCHRONOUS.execute(trx).catch(() => undefined);
    return work(trx);
  };
}
