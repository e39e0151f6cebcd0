import type { Clock } from '#src/clock.ts';
import type { NamesByOperation, Notifier, NotifierStore } from '#src/clients/operation/notifier.ts';
import type { Log } from '#src/log.ts';
import type { Coverage } from './coverage.ts';

/** How often the reports of other processes are read. */
const READ_EVERY_MS = 15_000;

export interface ShareCoverageOptions {
  /** The accounts whose platform can notify. */
  readonly accounts: readonly { readonly client: string; readonly account: string; readonly notifier: Notifier }[];
  readonly store: Pick<NotifierStore, 'reports'>;
  readonly coverage: Pick<Coverage, 'setElsewhere'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Reads about which names other processes are notified, until `signal` aborts. Without an answer of the database, rules are polled at their slots. */
export async function shareCoverage({ accounts, store, coverage, clock, log, signal }: ShareCoverageOptions): Promise<void> {
  while (!signal.aborted) {
    const reports = await store.reports().catch((error: unknown) => {
      log.debug({ error }, 'the notifications of other processes cannot be read');
      return undefined;
    });
    for (const { client, account, notifier } of accounts) {
      const report = reports?.get(account);
      const { covered, coveredPresence = {} } = report?.state === 'connected' ? report : {};
      const names = { names: namesIn(covered ?? {}), presenceOnly: namesIn(coveredPresence) };
      coverage.setElsewhere(account, covered && { account, client, operations: notifier.operations, ...names });
    }
    await clock.sleep(READ_EVERY_MS, signal).catch(() => undefined);
  }
}

function namesIn(reported: Readonly<Record<string, readonly string[]>>): NamesByOperation {
  return new Map(Object.entries(reported));
}
