import type { Clock } from '#src/clock.ts';
import type { Config } from '#src/config/config.ts';
import type { Coverage } from '#src/engine/coverage.ts';
import type { EventBus } from '#src/engine/event-bus.ts';
import { followNotifications } from '#src/engine/follow-notifications.ts';
import { createHints } from '#src/engine/hints.ts';
import type { RuleRegistry } from '#src/engine/rule-sets/rule-registry.ts';
import type { Scheduler } from '#src/engine/scheduler/scheduler.ts';
import { shareCoverage } from '#src/engine/share-coverage.ts';
import { createWatchedNames } from '#src/engine/watched-names.ts';
import { lateModule } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { ListSource } from '#src/rules/lists.ts';
import type { Store } from '#src/store/store.ts';
import type { Measurements } from '#src/admin/telemetry/measurements.ts';
import type { AccountNotifier } from './open-notifications.ts';

export interface FollowAccountsOptions {
  readonly config: Pick<Config, 'publicUrl' | 'dataDirectory' | 'key'>;
  readonly accounts: readonly AccountNotifier[];
  readonly registry: Pick<RuleRegistry, 'running'>;
  readonly scheduler: Pick<Scheduler, 'hurry'>;
  readonly listSource: ListSource;
  readonly store: Pick<Store, 'notifiers' | 'sealedRows' | 'subscriptionsOf'>;
  readonly coverage: Coverage;
  /** The other processes on the same state; absent: there are none. */
  readonly cluster?: object | undefined;
  readonly measurements: Pick<Measurements, 'hinted' | 'notified'>;
  readonly eventBus: Pick<EventBus, 'subscribe'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const loadEndpoints = lateModule('the public address', () => import('./notification-endpoints.ts'));

/** Follows the notifications of each account until `signal` aborts. */
export async function followAccounts(options: FollowAccountsOptions): Promise<void> {
  const { accounts, registry, listSource: lists, store, measurements, coverage, cluster, clock, log, signal } = options;
  const rules = () => registry.running;
  // Most installations have no public address.
  const endpoints = options.config.publicUrl === undefined ? undefined : (await loadEndpoints()).notificationEndpoints(options);
  const onHint = createHints({ ...options, rules, onHint: measurements.hinted });
  await Promise.all([
    ...(cluster ? [shareCoverage({ accounts, store: store.notifiers, coverage, clock, log, signal })] : []),
    ...accounts.map(async ({ client, account, notifier }) => {
      using names = createWatchedNames({ ...options, account, client, about: notifier, rules, lists });
      const { notified: onNotification } = measurements;
      const { notifiers } = store;
      await followNotifications({
        account,
        client,
        notifier,
        names,
        endpoint: endpoints?.endpointOf(account),
        store: notifiers,
        coverage,
        onHint,
        onNotification,
        clock,
        log,
        signal,
      });
    }),
  ]);
}
