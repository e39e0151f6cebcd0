import type { Clock } from '#src/clock.ts';
import type { Config } from '#src/config/config.ts';
import type { EventBus } from '#src/event-bus.ts';
import type { Log } from '#src/log.ts';
import { createDatabaseHealth, type DatabaseHealth } from '#src/queries/database-health.ts';
import type { ProcessMetrics } from '#src/queries/views.ts';
import type { Scheduler } from '#src/scheduler/scheduler.ts';
import { createMeasurements, type Measurements } from '#src/telemetry/measurements.ts';
import { openTraces } from '#src/telemetry/open-traces.ts';
import type { FiringTraces } from '#src/telemetry/trace-firings.ts';
import type { Role } from './roles.ts';
import { moneyBudgetsOf, type SpendingOf } from './spending.ts';

export interface ObserveOptions {
  /** The id of this process. */
  readonly worker: string;
  readonly role: Role;
  readonly config: Pick<Config, 'accounts' | 'traces'>;
  readonly spendingOf: SpendingOf;
  readonly database: Pick<DatabaseHealth, 'state'>;
  /** The lanes that this process holds; absent: it is the only one that sends. */
  readonly lanes?: ProcessMetrics['lanes'] | undefined;
  readonly scheduler: () => Pick<Scheduler, 'openSlots'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** What observes the engine of this process. */
interface Observed extends AsyncDisposable {
  readonly measurements: Measurements;
  readonly traces: FiringTraces | undefined;
  readonly metrics: ProcessMetrics;
}

/** Measures this process, and traces its firings if the configuration names a receiver. */
export async function observeProcess({
  worker,
  role,
  config,
  spendingOf,
  database,
  lanes = () => [],
  scheduler,
  clock,
  log,
}: ObserveOptions): Promise<Observed> {
  const platforms = new Map<string, string>(config.accounts.map(({ account, platform }) => [account, platform]));
  const measurements = createMeasurements({ platformOf: (account) => platforms.get(account) ?? account, clock });
  const traces = await openTraces({ settings: config.traces, worker, clock, log });
  const metrics: ProcessMetrics = {
    worker,
    role,
    database: () => database.state(),
    measured: () => measurements.measured(),
    openSlots: () => Promise.resolve(scheduler().openSlots()),
    lanes,
    moneyBudgets: moneyBudgetsOf(config.accounts, spendingOf),
  };
  return { measurements, traces, metrics, [Symbol.asyncDispose]: async () => traces?.[Symbol.asyncDispose]() };
}

/** Watches the database, and shows on the page when it stops answering. */
export function watchDatabase({
  eventBus,
  clock,
  log,
}: Pick<ObserveOptions, 'clock' | 'log'> & { readonly eventBus: EventBus }): DatabaseHealth {
  const kinds = ['accounts', 'rules'] as const;
  return createDatabaseHealth({ onChange: () => kinds.forEach((kind) => eventBus.publish({ kind })), clock, log });
}
