import { sql, type Transaction } from 'kysely';
import { ConfigError } from '#src/errors.ts';
import type { SealedToken } from '../restores.ts';
import { locationOf } from './cannot-open.ts';
import { asShared, type SharedTables } from './shared-tables.ts';
import { openDatabaseClock } from './database-clock.ts';
import { NOW_MS } from './now.ts';
import { connectDatabase, storeIn } from './open.ts';
import { keepTimeline } from './timeline.ts';
import { DEAD_AFTER_MS } from './workers.ts';

/** This command in `pg_stat_activity`. */
const APPLICATION = 'fanfare restore';

/** Connections of a process without its name. */
const PARTS: ReadonlySet<string> = new Set(['notifications', 'jobs']);

/** A database whose state is noted as a restored copy. */
export interface NotedRestore {
  /** The last instant that the copy contains. */
  readonly copiedAt: Date;
  /** The number of waiting deliveries that Fanfare searches for before it sends them. */
  readonly searched: number;
  readonly sealedTokens: readonly SealedToken[];
  /** Whether the copy has people who may sign in, or tokens of the HTTP API. */
  readonly hasOldAccess: boolean;
}

/** Notes that the state in a database is a restored copy. Throws if a process uses it. */
export async function noteRestore({ url, schema }: { readonly url: string; readonly schema?: string }): Promise<NotedRestore> {
  await using connected = await connectDatabase({ url, schema, applicationName: APPLICATION, maxConnections: 2 });
  const clock = await openDatabaseClock(connected.db);
  await using store = storeIn(connected, { clock });
  return await asShared(connected.db)
    .transaction()
    .execute(async (trx) => {
      // No process can start before the end of this transaction.
      await sql`lock table worker in exclusive mode`.execute(trx);
      const running = await findRunning(trx);
      if (running.length > 0)
        throw new ConfigError(`Fanfare is running and uses this database: ${running.join(', ')}`, {
          file: 'DATABASE_URL',
          hint: `stop all processes first; a killed process counts as running for ${DEAD_AFTER_MS / 1000} seconds`,
        });
      if (await isEmpty(trx))
        throw new ConfigError(`the database ${locationOf(url)} has no state`, {
          file: 'DATABASE_URL',
          hint: 'restore the dump with pg_restore first, or correct the address',
        });
      const { restores } = store;
      const copiedAt = await restores.note();
      await keepTimeline(connected.db);
      return {
        copiedAt,
        searched: await restores.countSearched(),
        sealedTokens: await restores.sealedTokens(),
        hasOldAccess: await restores.hasAccess(),
      };
    });
}

/** The processes with a recent sign of life or with a connection. A process that lost its table reports its life again after some seconds. */
async function findRunning(trx: Transaction<SharedTables>): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    select id from worker where seen_ms > ${NOW_MS} - ${DEAD_AFTER_MS}
    union select substr(application_name, 9) from pg_stat_activity
      where datname = current_database() and application_name like 'fanfare %' and application_name <> ${APPLICATION}
    order by id`.execute(trx);
  const all = rows.map(({ id }) => id);
  const named = all.filter((id) => !PARTS.has(id));
  return named.length > 0 ? named : all;
}

async function isEmpty(trx: Transaction<SharedTables>): Promise<boolean> {
  const { rows } = await sql`select 1 from rule_state union all select 1 from delivery limit 1`.execute(trx);
  return rows.length === 0;
}
