import project from '../../../package.json' with { type: 'json' };
import type { DeliveryState } from '#src/engine/delivery/delivery.ts';
import type { DeliveryLog } from '#src/engine/delivery/delivery-log.ts';
import type { RuleStates } from '#src/engine/scheduler/rule-states.ts';
import type { AccountView, LateWebhook, Status } from './records.ts';
import { brokenFileCount } from './metrics.ts';
import { processStartMs } from './process-start.ts';
import { rulesVersion } from './rule-view.ts';
import type { RuleRegistry } from '#src/engine/rule-sets/rule-registry.ts';

/** The number of deliveries whose delay is shown. */
const LAGS = 50;

export interface StatusOptions {
  readonly registry: RuleRegistry;
  readonly ruleStates: Pick<RuleStates, 'paused'>;
  readonly deliveryLog: Pick<DeliveryLog, 'counts' | 'lagsMs'>;
  readonly accounts: readonly AccountView[];
  readonly lateWebhooks?: (() => Promise<readonly LateWebhook[]>) | undefined;
  readonly hasGateway: boolean;
}

/** The status of the running process. */
export async function statusOf({ registry, ruleStates, deliveryLog, accounts, lateWebhooks, hasGateway }: StatusOptions): Promise<Status> {
  const [paused, counts, lagsMs, late] = await Promise.all([
    ruleStates.paused(),
    deliveryLog.counts(),
    deliveryLog.lagsMs(LAGS),
    lateWebhooks?.() ?? [],
  ]);
  const byState = new Map(counts.map(({ state, count }) => [state, count]));
  const sum = (...states: readonly DeliveryState[]): number => states.reduce((all, state) => all + (byState.get(state) ?? 0), 0);
  return {
    accounts,
    lateWebhooks: late,
    rules: {
      on: registry.running.length,
      paused: registry.running.filter(({ id }) => paused.has(id)).length,
      broken: brokenFileCount(registry.now),
      version: rulesVersion(registry),
    },
    deliveries: { open: sum('pending', 'sending', 'asked'), failed: sum('failed'), unknown: sum('unknown') },
    lagsMs,
    hasGateway,
    memoryBytes: process.memoryUsage.rss(),
    startedAt: new Date(processStartMs()),
    version: project.version,
  };
}
