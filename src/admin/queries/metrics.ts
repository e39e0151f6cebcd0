import project from '../../../package.json' with { type: 'json' };
import type { Clock } from '#src/clock.ts';
import { DELIVERY_STATES } from '#src/engine/delivery/delivery.ts';
import type { DeliveryLog } from '#src/engine/delivery/delivery-log.ts';
import type { Spent } from '#src/clients/operation/spending.ts';
import type { OutageStore } from '#src/engine/outages.ts';
import { POST_RULE } from '#src/engine/posting/posts.ts';
import { errorsByFile } from '#src/engine/rule-sets/broken-files.ts';
import type { RuleRegistry } from '#src/engine/rule-sets/rule-registry.ts';
import type { DecisionLog } from '#src/rules/decision-log.ts';
import type { RuleSet } from '#src/rules/rule-set.ts';
import type { RuleStates } from '#src/engine/scheduler/rule-states.ts';
import { METRICS, type MetricName } from './metric-declarations.ts';
import { processStartMs } from './process-start.ts';
import type { DatabaseState, Metric, Readiness, Sample } from './records.ts';

/** The metrics that a process measures while it works, with their samples so far. */
export type Measured = Readonly<
  Record<
    | 'fanfare_slot_commit_seconds'
    | 'fanfare_notice_delay_seconds'
    | 'fanfare_announcement_delay_seconds'
    | 'fanfare_poll_seconds'
    | 'fanfare_poll_failures_total'
    | 'fanfare_delivery_receipt_seconds'
    | 'fanfare_delivery_attempts_total'
    | 'fanfare_delivery_reconciliations_total'
    | 'fanfare_webhooks_total'
    | 'fanfare_notifications_total'
    | 'fanfare_hints_total'
    | 'fanfare_hinted_polls_total'
    | 'fanfare_requests_saved_estimate_total'
    | 'fanfare_notification_requests_total'
    | 'fanfare_rate_limit_left_ratio'
    | 'fanfare_rate_limit_waits_total',
    readonly Sample[]
  >
>;

/** A lane that this process holds. */
export interface HeldLane {
  readonly account: string;
  /** The time since this process took it. */
  readonly heldMs: number;
}

/** An account with a money budget. */
export interface MoneyBudget {
  readonly account: string;
  spent(): Promise<Pick<Spent, 'spentUsd' | 'monthUsd'>>;
}

export interface MetricsOptions {
  readonly decisions: Pick<DecisionLog, 'counts' | 'latestOf'>;
  readonly deliveryLog: Pick<DeliveryLog, 'counts' | 'dueByAccount'>;
  readonly registry: Pick<RuleRegistry, 'running'> & { readonly now: Pick<RuleSet, 'rules' | 'diagnostics'> };
  readonly ruleStates: Pick<RuleStates, 'paused'>;
  readonly outages: Pick<OutageStore, 'all'>;
  /** The accounts of the configuration. */
  readonly accounts: () => readonly { readonly name: string }[];
  readonly ready: () => Pick<Readiness, 'ready'>;
  /** The id of this process. */
  readonly worker: string;
  readonly role: string;
  readonly database: () => DatabaseState;
  readonly measured: () => Measured;
  readonly openSlots: () => Promise<number>;
  readonly lanes: () => readonly HeldLane[];
  readonly moneyBudgets: readonly MoneyBudget[];
  /** The time of the last backup, 0 before the first one; undefined if another program backs up the database. */
  readonly lastBackupMs: () => number | undefined;
  readonly clock: Clock;
}

type Samples<Name extends MetricName> = Readonly<Record<Name, readonly Sample[]>>;

/** An account that still fails is used again within this time: refused accounts rest for an hour at most. */
const FAILS_AGAIN_WITHIN_MS = 2 * 60 * 60_000;

/** The metrics that come from the database. */
type StoredName =
  | 'fanfare_rules_paused'
  | 'fanfare_rules_failing'
  | 'fanfare_deliveries'
  | 'fanfare_decisions'
  | 'fanfare_slots_open'
  | 'fanfare_deliveries_due'
  | 'fanfare_deliveries_due_oldest_seconds'
  | 'fanfare_account_failing_seconds'
  | 'fanfare_budget_left_usd'
  | 'fanfare_budget_usd';

/** The metrics of the running process, for Prometheus. */
export async function metricsOf(options: MetricsOptions): Promise<readonly Metric[]> {
  const { registry, ready, worker, role, measured, lanes } = options;
  const stored = await storedSamples(options);
  const backupMs = options.lastBackupMs();
  const samples: Readonly<Record<MetricName, readonly Sample[]>> = {
    ...(stored ?? NOT_STORED),
    ...measured(),
    fanfare_ready: [{ value: ready().ready ? 1 : 0 }],
    fanfare_rules: [{ value: registry.running.length }],
    fanfare_rule_files_broken: [{ value: brokenFileCount(registry.now) }],
    fanfare_worker_info: [{ labels: { worker, role, version: project.version }, value: 1 }],
    fanfare_database_up: [{ value: stored ? 1 : 0 }],
    fanfare_last_backup_time_seconds: backupMs === undefined ? [] : [{ value: backupMs / 1_000 }],
    fanfare_lane_lease_age_seconds: lanes().map(({ account, heldMs }) => ({ labels: { account }, value: heldMs / 1_000 })),
    process_resident_memory_bytes: [{ value: process.memoryUsage.rss() }],
    process_start_time_seconds: [{ value: processStartMs() / 1_000 }],
  };
  const names = Object.keys(METRICS) as MetricName[]; // the keys of a literal
  return names.map((name) => ({ name, type: METRICS[name].type, help: METRICS[name].help, samples: samples[name] }));
}

const NOT_STORED: Samples<StoredName> = {
  fanfare_rules_paused: [],
  fanfare_rules_failing: [],
  fanfare_deliveries: [],
  fanfare_decisions: [],
  fanfare_slots_open: [],
  fanfare_deliveries_due: [],
  fanfare_deliveries_due_oldest_seconds: [],
  fanfare_account_failing_seconds: [],
  fanfare_budget_left_usd: [],
  fanfare_budget_usd: [],
};

/** The samples from the database; undefined if it does not answer. The metrics of the process matter most then. */
async function storedSamples(options: MetricsOptions): Promise<Samples<StoredName> | undefined> {
  // A query would wait until the database answers.
  if (options.database().lostAtMs !== undefined) return undefined;
  try {
    return await readSamples(options);
  } catch (error) {
    if (options.database().lostAtMs !== undefined) return undefined;
    throw error;
  }
}

async function readSamples(options: MetricsOptions): Promise<Samples<StoredName>> {
  const { decisions: decisionLog, deliveryLog, registry, ruleStates, openSlots, moneyBudgets, clock } = options;
  const accounts = new Set(options.accounts().map(({ name }) => name));
  const known = new Set([POST_RULE, ...registry.now.rules.map(({ id }) => id)]);
  const nowMs = clock.nowMs();
  const [deliveries, decisions, paused, open, due, outages, budgets] = await Promise.all([
    deliveryLog.counts(),
    // Stored decisions of removed rules are not metrics of this process, and there can be any number of them.
    decisionLog.counts([...known]),
    ruleStates.paused(),
    openSlots(),
    deliveryLog.dueByAccount(nowMs),
    options.outages.all(),
    Promise.all(moneyBudgets.map(async (budget) => ({ account: budget.account, ...(await budget.spent()) }))),
  ]);
  const failedOnce = new Set(decisions.filter(({ outcome }) => outcome === 'failed').map(({ rule }) => rule));
  const mayFail = registry.running.filter(({ id }) => failedOnce.has(id) && !paused.has(id));
  const latest = await decisionLog.latestOf(mayFail.map(({ id }) => id));
  const countByState = new Map(deliveries.map(({ state, count }) => [state, count]));
  const limited = budgets.flatMap(({ monthUsd, ...budget }) => (monthUsd === undefined ? [] : [{ ...budget, monthUsd }]));
  return {
    fanfare_rules_paused: [{ value: registry.running.filter(({ id }) => paused.has(id)).length }],
    fanfare_rules_failing: [{ value: [...latest.values()].filter(({ reason }) => reason?.kind === 'pollFailed').length }],
    // States without deliveries have a sample too: Prometheus sees no increase in a series that did not exist.
    fanfare_deliveries: DELIVERY_STATES.map((state) => ({ labels: { state }, value: countByState.get(state) ?? 0 })),
    fanfare_decisions: decisions.map(({ rule, outcome, count }) => ({ labels: { rule, outcome }, value: count })),
    fanfare_slots_open: [{ value: open }],
    fanfare_deliveries_due: due.map(({ account, count }) => ({ labels: { account }, value: count })),
    fanfare_deliveries_due_oldest_seconds: due.map(({ account, oldestMs }) => ({
      labels: { account },
      value: Math.max(0, nowMs - oldestMs) / 1_000,
    })),
    // An account that was removed or that is not used any longer has no outage, although it is stored for a day.
    fanfare_account_failing_seconds: outages
      .filter(({ account, seenMs }) => accounts.has(account) && nowMs - seenMs <= FAILS_AGAIN_WITHIN_MS)
      .map(({ account, access, sinceMs, seenMs }) => ({
        labels: { account, access },
        // One failure is no outage: the account may have no other use for hours.
        value: seenMs > sinceMs ? Math.max(0, nowMs - sinceMs) / 1_000 : 0,
      })),
    fanfare_budget_left_usd: limited.map(({ account, spentUsd, monthUsd }) => ({ labels: { account }, value: monthUsd - spentUsd })),
    fanfare_budget_usd: limited.map(({ account, monthUsd }) => ({ labels: { account }, value: monthUsd })),
  };
}

/** The number of rule files with errors. */
export function brokenFileCount({ diagnostics }: Pick<RuleSet, 'diagnostics'>): number {
  return errorsByFile(diagnostics).size;
}
