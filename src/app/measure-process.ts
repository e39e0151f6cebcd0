import type { Clock } from '#src/clock.ts';
import type { Config } from '#src/config/config.ts';
import type { ProcessMetrics } from '#src/queries/views.ts';
import type { Scheduler } from '#src/scheduler/scheduler.ts';
import { createMeasurements, type Measurements } from '#src/telemetry/measurements.ts';
import { moneyBudgetsOf, type SpendingOf } from './spending.ts';

export interface MeasureOptions {
  /** The id of this process. */
  readonly worker: string;
  readonly config: Pick<Config, 'accounts'>;
  readonly spendingOf: SpendingOf;
  readonly scheduler: () => Pick<Scheduler, 'openSlots'>;
  readonly clock: Clock;
}

/** Measures this process for its metrics. */
export function measureProcess({ worker, config, spendingOf, scheduler, clock }: MeasureOptions): {
  readonly measurements: Measurements;
  readonly metrics: ProcessMetrics;
} {
  const platforms = new Map<string, string>(config.accounts.map(({ account, platform }) => [account, platform]));
  const measurements = createMeasurements({ platformOf: (account) => platforms.get(account) ?? account, clock });
  const metrics: ProcessMetrics = {
    worker,
    database: () => ({}),
    measured: () => measurements.measured(),
    openSlots: () => Promise.resolve(scheduler().openSlots()),
    lanes: () => [],
    moneyBudgets: moneyBudgetsOf(config.accounts, spendingOf),
  };
  return { measurements, metrics };
}
