import type { Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Brings accounts with new work to the attention of the process that sends. A store of one process needs none. */
export interface LaneJobs {
  /** Creates the jobs of these accounts in the transaction that stores their deliveries. */
  create(trx: Transaction<Tables>, accounts: readonly string[]): Promise<void>;
  /** Wakes the holders of these accounts after the commit. */
  announce(accounts: readonly string[]): void;
}

/** For a store whose only process finds its deliveries itself. */
export const NO_LANE_JOBS: LaneJobs = { create: () => Promise.resolve(), announce: () => undefined };
