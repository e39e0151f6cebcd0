import type { NotifiedAccount, Notifications } from '#src/admin/incoming-webhooks/receive-notifications.ts';
import type { Measurements } from '#src/admin/telemetry/measurements.ts';
import type { Platforms } from '#src/clients/clients.ts';
import type { Notifier } from '#src/clients/operation/notifier.ts';
import type { Clock } from '#src/clock.ts';
import type { Config } from '#src/config/config.ts';
import { createHints } from '#src/engine/hints.ts';
import type { RuleRegistry } from '#src/engine/rule-sets/rule-registry.ts';
import type { Scheduler } from '#src/engine/scheduler/scheduler.ts';
import { lateModule } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { Store } from '#src/store/store.ts';

interface NotificationsApp {
  readonly config: Pick<Config, 'publicUrl' | 'dataDirectory' | 'key'>;
  readonly platforms: NotifiedPlatforms;
  readonly registry: Pick<RuleRegistry, 'running'>;
  readonly scheduler: Pick<Scheduler, 'hurry'>;
  readonly store: Pick<Store, 'notifiers' | 'sealedRows' | 'subscriptionsOf'>;
  readonly measurements: Pick<Measurements, 'hinted' | 'notified' | 'notificationAnswered'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** The clients whose platforms can notify. */
export type NotifiedPlatforms = Pick<Platforms, 'streaming' | 'social' | 'feed'>;

/** An account whose platform notifies. */
export interface AccountNotifier {
  /** The client of the account, for example `streaming`. */
  readonly client: string;
  readonly account: string;
  readonly notifier: Notifier;
}

/** All accounts whose platforms notify. */
export function notifiersOf({ streaming, social, feed = [] }: NotifiedPlatforms): readonly AccountNotifier[] {
  return Object.entries({ streaming, social, feed }).flatMap(([client, some]) =>
    some.flatMap(({ account, notifier }) => (notifier ? [{ client, account, notifier }] : [])),
  );
}

/** Opens the receiver of the notifications of platforms with the first request; undefined if no platform needs it, or without a public address. */
export function openNotifications(app: NotificationsApp): (() => Promise<Notifications>) | undefined {
  const receiving = notifiersOf(app.platforms).filter(({ notifier }) => notifier.receiver);
  if (app.config.publicUrl === undefined || receiving.length === 0) return undefined;
  return lateModule('the notifications of platforms', async () => {
    const [{ createNotifications }, { notificationEndpoints }, { hintsAbout }] = await Promise.all([
      import('#src/admin/incoming-webhooks/receive-notifications.ts'),
      import('./notification-endpoints.ts'),
      import('#src/engine/follow-notifications.ts'),
    ]);
    const { store, registry, measurements, clock, log, signal } = app;
    const { secretOf } = notificationEndpoints(app);
    const onHint = createHints({ ...app, rules: () => registry.running, onHint: measurements.hinted });
    const accounts = receiving.flatMap(({ client, account, notifier }): readonly (readonly [string, NotifiedAccount])[] => {
      const { receiver } = notifier;
      if (!receiver) return [];
      const hint: NotifiedAccount['hint'] = (change) => {
        for (const one of hintsAbout(change, { account, client, notifier })) onHint(one);
      };
      const secret = () => secretOf(account);
      const storedText = () => store.notifiers.textOf(account).load();
      const noteNotified = (at: Date) => store.notifiers.noteNotified(account, at);
      return [[account, { receiver, secret, subscriptions: store.subscriptionsOf(account), storedText, hint, noteNotified }]];
    });
    return createNotifications({
      accounts: new Map(accounts),
      onRequest: measurements.notificationAnswered,
      onNotification: measurements.notified,
      clock,
      log,
      signal,
    });
  });
}
