import { DELIVERY_STATES } from '#src/delivery/delivery.ts';
import type { DeliveryLog } from '#src/delivery/delivery-log.ts';
import { POST_RULE } from '#src/posting/posts.ts';
import { errorsByFile } from '#src/registry/broken-files.ts';
import type { RuleRegistry } from '#src/registry/rule-registry.ts';
import type { DecisionLog } from '#src/rules/decision-log.ts';
import type { RuleSet } from '#src/rules/rule-set.ts';
import type { RuleStates } from '#src/scheduler/rule-states.ts';
import type { Metric, Readiness } from './records.ts';

export interface MetricsOptions {
  readonly decisions: Pick<DecisionLog, 'counts'>;
  readonly deliveryLog: Pick<DeliveryLog, 'counts'>;
  readonly registry: Pick<RuleRegistry, 'running'> & { readonly now: Pick<RuleSet, 'rules' | 'diagnostics'> };
  readonly ruleStates: Pick<RuleStates, 'paused'>;
  readonly ready: () => Pick<Readiness, 'ready'>;
}

/** The metrics of the running process, for Prometheus. */
export async function metricsOf(options: MetricsOptions): Promise<readonly Metric[]> {
  const { decisions: decisionLog, deliveryLog, registry, ruleStates, ready } = options;
  const known = new Set([POST_RULE, ...registry.now.rules.map(({ id }) => id)]);
  const [deliveries, decisions, paused] = await Promise.all([deliveryLog.counts(), decisionLog.counts(), ruleStates.paused()]);
  const countByState = new Map(deliveries.map(({ state, count }) => [state, count]));
  return [
    {
      name: 'fanfare_ready',
      type: 'gauge',
      help: '1 if Fanfare can run rules and deliver announcements, otherwise 0; /readyz has the reason.',
      samples: [{ value: ready().ready ? 1 : 0 }],
    },
    { name: 'fanfare_rules', type: 'gauge', help: 'Rules that run.', samples: [{ value: registry.running.length }] },
    {
      name: 'fanfare_rules_paused',
      type: 'gauge',
      help: 'Rules that are paused by a person or by their fuse.',
      samples: [{ value: registry.running.filter(({ id }) => paused.has(id)).length }],
    },
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
      // States without deliveries have a sample too: Prometheus sees no increase in a series that did not exist.
      samples: DELIVERY_STATES.map((state) => ({ labels: { state }, value: countByState.get(state) ?? 0 })),
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
