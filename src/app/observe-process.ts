import type { Clock } from '#src/clock.ts';
import type { Config } from '#src/config/config.ts';
import { lastBackupMs } from '#src/config/data-directory.ts';
import type { EventBus } from '#src/engine/event-bus.ts';
import type { Log } from '#src/log.ts';
import { createDatabaseHealth, type DatabaseHealth } from '#src/admin/queries/database-health.ts';
import type { ProcessMetrics } from '#src/admin/queries/api-queries.ts';
import type { Scheduler } from '#src/engine/scheduler/scheduler.ts';
import { createMeasurements, type Measurements } from '#src/admin/telemetry/measurements.ts';
import { openTraces } from '#src/admin/telemetry/open-traces.ts';
import type { FiringTraces } from '#src/admin/telemetry/trace-firings.ts';
import { lateModule } from '#src/errors.ts';
import type { Store } from '#src/store/store.ts';
import type { Role } from './roles.ts';
import { moneyBudgetsOf, type SpendingOf } from './spending.ts';

export interface ObserveOptions {
  /** The id of this process. */
  readonly worker: string;
  readonly config: Pick<Config, 'accounts' | 'traces' | 'dataDirectory' | 'databaseUrl'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** What observes the engine of this process. */
interface Observed extends AsyncDisposable {
  readonly measurements: Measurements;
  readonly traces: FiringTraces | undefined;
}

/** Measures this process, and traces its firings if the configuration names a receiver. */
export async function observeProcess({ worker, config, clock, log }: ObserveOptions): Promise<Observed> {
  const platforms = new Map<string, string>(config.accounts.map(({ account, platform }) => [account, platform]));
  const measurements = createMeasurements({ platformOf: (account) => platforms.get(account) ?? account, clock });
  const traces = await openTraces({ settings: config.traces, worker, clock, log });
  return { measurements, traces, [Symbol.asyncDispose]: async () => traces?.[Symbol.asyncDispose]() };
}

interface MetricsOptions extends Pick<ObserveOptions, 'worker' | 'config'>, Pick<Observed, 'measurements'> {
  readonly role: Role;
  readonly spendingOf: SpendingOf;
  readonly database: Pick<DatabaseHealth, 'state'>;
  /** Absent: this process is the only one that sends. */
  readonly cluster?: { readonly lanes: { held: ProcessMetrics['lanes'] } } | undefined;
  readonly scheduler: Pick<Scheduler, 'openSlots'>;
}

export function metricsOf({
  worker,
  role,
  config,
  spendingOf,
  database,
  cluster,
  measurements,
  scheduler,
}: MetricsOptions): ProcessMetrics {
  return {
    worker,
    role,
    database: () => database.state(),
    measured: () => measurements.measured(),
    openSlots: () => Promise.resolve(scheduler.openSlots()),
    lanes: cluster ? cluster.lanes.held : () => [],
    moneyBudgets: moneyBudgetsOf(config.accounts, spendingOf),
    lastBackupMs: () => (config.databaseUrl === undefined ? lastBackupMs(config) : undefined),
  };
}

const loadUsage = lateModule('the use of accounts', () => import('#src/admin/telemetry/account-usage.ts'));

interface RecordOptions extends Pick<ObserveOptions, 'config' | 'clock' | 'log'>, Pick<MetricsOptions, 'measurements' | 'spendingOf'> {
  readonly store: Pick<Store, 'accountUsage'>;
  readonly signal: AbortSignal;
}

/** Stores the spending and the rate limits of the accounts, until `signal` aborts. */
export async function recordAccounts({ config, store, measurements, spendingOf, clock, log, signal }: RecordOptions): Promise<void> {
  const { recordUsage } = await loadUsage();
  const spendings = config.accounts.flatMap((account) => {
    const spending = spendingOf(account);
    return spending ? [{ account: account.account, spending }] : [];
  });
  await recordUsage({
    usage: store.accountUsage,
    rateLimits: measurements.rateLimits,
    spendings,
    clock,
    log,
    signal,
  });
}

/** Watches the database, and shows on the page when it stops answering. */
export function watchDatabase({
  eventBus,
  clock,
  log,
}: Pick<ObserveOptions, 'clock' | 'log'> & { readonly eventBus: EventBus }): DatabaseHealth {
  return createDatabaseHealth({ onChange: eventBus.changing('accounts', 'rules'), clock, log });
}
