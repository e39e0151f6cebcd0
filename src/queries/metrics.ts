import type { DeliveryLog } from '#src/delivery/delivery-log.ts';
import { POST_RULE } from '#src/posting/posts.ts';
import { errorsByFile } from '#src/registry/broken-files.ts';
import type { RuleRegistry } from '#src/registry/rule-registry.ts';
import type { DecisionLog } from '#src/rules/decision-log.ts';
import type { RuleSet } from '#src/rules/rule-set.ts';
import type { Metric } from './records.ts';

export interface MetricsOptions {
  readonly decisions: Pick<DecisionLog, 'counts'>;
  readonly deliveryLog: Pick<DeliveryLog, 'counts'>;
  readonly registry: Pick<RuleRegistry, 'running'> & { readonly now: Pick<RuleSet, 'rules' | 'diagnostics'> };
}

/** The metrics of the running process, for Prometheus. */
export async function metricsOf({ decisions: decisionLog, deliveryLog, registry }: MetricsOptions): Promise<readonly Metric[]> {
  const known = new Set([POST_RULE, ...registry.now.rules.map(({ id }) => id)]);
  const [deliveries, decisions] = await Promise.all([deliveryLog.counts(), decisionLog.counts()]);
  return [
    { name: 'fanfare_rules', type: 'gauge', help: 'Rules that run.', samples: [{ value: registry.running.length }] },
    {
      name: 'fanfare_rule_files_broken',
      type: 'gauge',
      help: 'Rule files with errors; some of them run as they were before.',
      samples: [{ value: brokenFileCount(registry.now) }],
    },
    {
      name: 'fanfare_deliveries',
      type: 'gauge',
      help: 'Deliveries that are kept, by state.',
      samples: deliveries.map(({ state, count }) => ({ labels: { state }, value: count })),
    },
    {
      name: 'fanfare_decisions',
      type: 'gauge',
      help: 'Decisions that are kept, by rule and outcome.',
      // Stored decisions of removed rules are not metrics of this process.
      samples: decisions
        .filter(({ rule }) => known.has(rule))
        .map(({ rule, outcome, count }) => ({ labels: { rule, outcome }, value: count })),
    },
    {
      name: 'process_resident_memory_bytes',
      type: 'gauge',
      help: 'Memory of the process.',
      samples: [{ value: process.memoryUsage.rss() }],
    },
    {
      name: 'process_start_time_seconds',
      type: 'gauge',
      help: 'When the process began.',
      samples: [{ value: performance.timeOrigin / 1000 }],
    },
  ];
}

/** The number of rule files with errors. */
export function brokenFileCount({ diagnostics }: Pick<RuleSet, 'diagnostics'>): number {
  return errorsByFile(diagnostics).size;
}
