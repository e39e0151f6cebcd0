import { DELIVERY_STATES } from '#src/delivery/delivery.ts';
import type { DeliveryLog } from '#src/delivery/delivery-log.ts';
import { POST_RULE } from '#src/posting/posts.ts';
import { errorsByFile } from '#src/registry/broken-files.ts';
import type { RuleRegistry } from '#src/registry/rule-registry.ts';
import type { DecisionLog } from '#src/rules/decision-log.ts';
import type { RuleSet } from '#src/rules/rule-set.ts';
import type { RuleStates } from '#src/scheduler/rule-states.ts';
import { METRICS, type MetricName } from './metric-declarations.ts';
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
  const samples: Readonly<Record<MetricName, Metric['samples']>> = {
    fanfare_ready: [{ value: ready().ready ? 1 : 0 }],
    fanfare_rules: [{ value: registry.running.length }],
    fanfare_rules_paused: [{ value: registry.running.filter(({ id }) => paused.has(id)).length }],
    fanfare_rule_files_broken: [{ value: brokenFileCount(registry.now) }],
    // States without deliveries have a sample too: Prometheus sees no increase in a series that did not exist.
    fanfare_deliveries: DELIVERY_STATES.map((state) => ({ labels: { state }, value: countByState.get(state) ?? 0 })),
    // Stored decisions of removed rules are not metrics of this process.
    fanfare_decisions: decisions
      .filter(({ rule }) => known.has(rule))
      .map(({ rule, outcome, count }) => ({ labels: { rule, outcome }, value: count })),
    process_resident_memory_bytes: [{ value: process.memoryUsage.rss() }],
    process_start_time_seconds: [{ value: performance.timeOrigin / 1000 }],
  };
  const names = Object.keys(METRICS) as MetricName[]; // the keys of a literal
  return names.map((name) => ({ name, type: METRICS[name].type, help: METRICS[name].help, samples: samples[name] }));
}

/** The number of rule files with errors. */
export function brokenFileCount({ diagnostics }: Pick<RuleSet, 'diagnostics'>): number {
  return errorsByFile(diagnostics).size;
}
