import type { DatabaseSync } from 'node:sqlite';
import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../tables.ts';

/**
 * Runs a transaction without a sync of the disk. A kill of the process loses nothing. A power failure can undo it, with all transactions
 * after it: the log of SQLite keeps their order, and the next synced transaction syncs the whole log.
 */
export function transactWithoutSync<T>(
  db: Kysely<Tables>,
  database: DatabaseSync,
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  // The connection is locked until the end, so no other transaction has this setting.
  return db.connection().execute(async (connection) => {
    database.exec('pragma synchronous = normal');
    try {
      return await connection.transaction().execute(work);
    } finally {
      database.exec('pragma synchronous = full');
    }
  });
}
