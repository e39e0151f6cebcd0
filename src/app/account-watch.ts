import type { AccountHealth } from '#src/admin/queries/accounts.ts';
import type { Clock } from '#src/clock.ts';
import { createOutageLog, watchReads, type OutageStore } from '#src/engine/outages.ts';
import type { UseAccount } from '#src/engine/planner/refused-accounts.ts';
import type { Log } from '#src/log.ts';

interface AccountWatchOptions {
  readonly health: Pick<AccountHealth, 'watch'>;
  readonly store: { readonly outages: OutageStore };
  /** Absent: this process is the only one. */
  readonly cluster?: object | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Watches reads of accounts beside those of the engine. With several processes, the stored outages decide: after a failure that only one of them
 * saw, it would show the account as failed until it reads it again, and the processes would send and close its alert in turns.
 */
export function accountWatch({ health, store, cluster, clock, log }: AccountWatchOptions): UseAccount {
  return cluster ? watchReads(createOutageLog({ store: store.outages, clock, log })) : health.watch;
}
