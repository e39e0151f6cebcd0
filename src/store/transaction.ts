import type { Kysely, Transaction } from 'kysely';
import { isCollision } from '#src/store/postgres/database-error.ts';
import type { Tables } from './tables.ts';

/** PostgreSQL ends one of several transactions that wait for each other. */
const ATTEMPTS = 5;

/** Runs work in a transaction. In PostgreSQL, repeats the work if it collided with other work. Work must be repeatable. */
export async function inTransaction<T, D = Tables>(db: Kysely<D>, work: (trx: Transaction<D>) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt === ATTEMPTS || !isCollision(error)) throw error;
    }
  }
}
