import { sql, type Kysely } from 'kysely';
import type { LaneJobs } from '#src/store/lane-jobs.ts';
import type { Tables } from '#src/store/tables.ts';
import type { SharedTables } from './shared-tables.ts';
import type { Jobs } from './jobs.ts';
import type { Notifications } from './notifications.ts';

export interface LaneJobsOptions {
  readonly jobs: Jobs;
  readonly notifications: Pick<Notifications, 'announce'>;
}

/** The jobs of lanes in pg-boss. */
export function createLaneJobs({ jobs, notifications }: LaneJobsOptions): LaneJobs {
  return {
    create: (trx, accounts) => createJobs(trx, jobs, accounts),

    announce(accounts) {
      for (const account of new Set(accounts)) notifications.announce({ kind: 'lane', account });
    },
  };
}

/**
 * Creates the jobs of accounts that have none.
 *
 * The lock makes the end of a job wait: either its holder sees the deliveries, or the job is over and a new one is created.
 */
export async function createJobs(trx: Kysely<Tables> | Kysely<SharedTables>, jobs: Jobs, accounts: readonly string[]): Promise<void> {
  const sorted = [...new Set(accounts)].toSorted();
  if (sorted.length === 0) return;
  await sql`select 1 from lane where account in (${sql.join(sorted)}) order by account for key share`.execute(trx);
  await jobs.create(
    trx,
    'lanes',
    sorted.map((account) => ({ key: account, data: { account } })),
  );
}
