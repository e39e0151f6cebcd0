import project from '../../../package.json' with { type: 'json' };
import type { Status } from '#src/discord/controls/controls.ts';
import type { DeliveryState } from '#src/outbox/delivery.ts';
import type { Store } from '#src/store/store.ts';
import type { AccountView } from '#src/web/views.ts';
import type { RuleBook } from '../reload/rule-book.ts';

const LAGS = 50;

export interface StatusOptions {
  readonly book: RuleBook;
  readonly store: Pick<Store, 'ruleStates' | 'deliveryLog'>;
  readonly accounts: readonly AccountView[];
  readonly hasGateway: boolean;
}

/** How the running program is. */
export async function statusOf({ book, store: { ruleStates, deliveryLog }, accounts, hasGateway }: StatusOptions): Promise<Status> {
  const [paused, counts, lagsMs] = await Promise.all([ruleStates.paused(), deliveryLog.counts(), deliveryLog.lagsMs(LAGS)]);
  const byState = new Map(counts.map(({ state, count }) => [state, count]));
  const sum = (...states: readonly DeliveryState[]): number => states.reduce((all, state) => all + (byState.get(state) ?? 0), 0);
  return {
    accounts,
    rules: {
      on: book.running.length,
      paused: book.running.filter(({ id }) => paused.has(id)).length,
      broken: new Set(book.now.problems.filter(({ severity }) => severity === 'error').map(({ file }) => file)).size,
    },
    deliveries: { open: sum('pending', 'sending', 'asked'), failed: sum('failed'), unknown: sum('unknown') },
    lagsMs,
    hasGateway,
    memoryBytes: process.memoryUsage.rss(),
    startedAt: new Date(performance.timeOrigin),
    version: project.version,
  };
}
