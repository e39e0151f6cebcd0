import type { Client } from 'pg';
import type { Clock } from '#src/clock.ts';
import type { ProcessLock } from '../process-lock.ts';
import { DatabaseUnavailable, isLostConnection } from './database-error.ts';

const RETRY_MS = 250;

export interface AdvisoryLockOptions {
  /** Opens a connection that only the lock uses. */
  readonly connect: () => Promise<Client>;
  /** The schema that the lock protects. */
  readonly schema: string;
  /** The purpose of the lock, as `answerer`. */
  readonly name: string;
  readonly clock: Clock;
}

/**
 * Creates a lock in the database. PostgreSQL releases it when the connection of its holder ends, also without a notice to the holder, so
 * it only prevents unnecessary work.
 */
export function createAdvisoryLock({ connect, schema, name, clock }: AdvisoryLockOptions): ProcessLock {
  let holder: Client | undefined;

  function release(client: Client): void {
    if (holder === client) holder = undefined;
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
    return true;
  }

  return {
    async claim({ signal, onWait }) {
      signal.throwIfAborted();
      const client = await connect();
      try {
        if (!(await tryClaim(client))) {
          onWait?.();
          do await clock.sleep(RETRY_MS, signal);
          while (!(await tryClaim(client)));
        }
        return { [Symbol.dispose]: () => release(client) };
      } catch (error) {
        release(client);
        if (signal.aborted || !isLostConnection(error)) throw error;
        throw new DatabaseUnavailable({ mayHaveCommitted: false, cause: error });
      }
    },
    close: () => holder && release(holder),
  };
}
