import type { Clock } from '#src/clock.ts';
import type { NotificationEndpoint } from '#src/clients/operation/notification-request.ts';
import {
  OWN,
  type Change,
  type Notifier,
  type NotifierReport,
  type NotifierStatus,
  type NotifierStore,
  type WatchedNames,
} from '#src/clients/operation/notifier.ts';
import { PlatformError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { Coverage } from './coverage.ts';
import type { Hint } from './hints.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 2 * 60_000;
/** A limit of the platform lasts until a person acts. */
const LIMITED_PAUSE_MS = 60 * 60_000;
/** Platforms end connections now and then, so fewer failures in a row are no reason for a warning. */
const WARN_AFTER = 3;
/** A connection that lasted for this time was a good one. */
const STABLE_MS = 60_000;
/** Why an account is only polled whose platform needs a public address. */
const NO_ADDRESS = 'it notifies only over a public address: set FANFARE_PUBLIC_URL to one';
/** How often the time of the last notification is stored. */
const NOTE_EVERY_MS = 60_000;

export interface FollowNotificationsOptions {
  readonly account: string;
  /** The client of the account, for example `streaming`. */
  readonly client: string;
  readonly notifier: Notifier;
  readonly names: WatchedNames;
  /** Where the platform sends its requests; absent: there is no public address. */
  readonly endpoint?: NotificationEndpoint | undefined;
  readonly store: NotifierStore;
  readonly coverage: Pick<Coverage, 'set' | 'clear'>;
  readonly onHint: (hint: Hint) => void;
  readonly onNotification: (account: string, kind: string) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * Receives the notifications of an account while rules watch names through it, until `signal` aborts. One process at a time is connected.
 * Never rejects: without notifications, rules poll at their slots.
 */
export async function followNotifications(options: FollowNotificationsOptions): Promise<void> {
  const { account, notifier, names, endpoint, store, coverage, clock, log, signal } = options;
  const report = createReport(options);
  let failures = 0;
  let connectedMs: number | undefined;
  while (!signal.aborted) {
    try {
      if ((await names.current()).size === 0) {
        await names.changed(signal);
        continue;
      }
      if (notifier.receiver && !endpoint) {
        await report.become({ state: 'off', problem: NO_ADDRESS });
        await names.changed(signal);
        continue;
      }
      using _claim = await store.claim(account, signal);
      await report.become({ state: 'connecting' });
      await connect(options, report, () => {
        if (connectedMs === undefined && failures >= WARN_AFTER) log.info({ account }, 'the platform notifies about changes again');
        connectedMs ??= clock.nowMs();
      });
      coverage.clear(account);
      await report.become({ state: 'stopped' });
    } catch (error) {
      coverage.clear(account);
      if (signal.aborted) break;
      // A platform that accepts connections and ends them at once must not get one each second.
      failures = connectedMs !== undefined && clock.nowMs() - connectedMs >= STABLE_MS ? 1 : failures + 1;
      connectedMs = undefined;
      const problem = error instanceof Error ? error.message : String(error);
      const isLimited = error instanceof PlatformError && error.fault === 'quotaExhausted';
      if (failures === (isLimited ? 1 : WARN_AFTER)) {
        log.warn({ account, problem }, 'the platform does not notify about changes; the rules poll at their slots');
      } else log.debug({ account, problem }, 'the connection for notifications was lost');
      await report.become({ state: 'failed', problem, ...(isLimited && { isLimited }) });
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS) * (1 + Math.random());
      await clock.sleep(isLimited ? LIMITED_PAUSE_MS : pauseMs, signal).catch(() => undefined);
    }
  }
  await report.stop();
}

function connect(
  { account, client, notifier, names, endpoint, store, coverage, onHint, onNotification, signal }: FollowNotificationsOptions,
  report: Report,
  onConnected: () => void,
): Promise<void> {
  return notifier.connect({
    names,
    stored: store.textOf(account),
    endpoint,
    onStatus(status) {
      if (status.state === 'connected') onConnected();
      void report.become(status);
    },
    onCovered: (covered) => coverage.set({ account, client, names: covered }),
    onNotification(kind) {
      onNotification(account, kind);
      void report.notified();
    },
    onChange(change) {
      for (const one of change ? [change] : notifier.operations) {
        onHint(hintAbout({ operation: one.operation, names: change?.names }, { account, client, notifier }));
      }
    },
    signal,
  });
}

/** The hint about a change. */
export function hintAbout(
  change: Change,
  { account, client, notifier }: Pick<FollowNotificationsOptions, 'account' | 'client' | 'notifier'>,
): Hint {
  return { account, verb: `${client}.${change.operation}`, named: namedOf(change, notifier) };
}

/** The names of a change as a hint compares them. */
function namedOf({ operation, names }: Change, { operations }: Notifier): Hint['named'] {
  const parameter = operations.find((one) => one.operation === operation)?.parameter;
  if (!names || parameter === undefined) return undefined;
  const values = names.flatMap((name) => (name === OWN ? [] : [name.toLowerCase(), `@${name.toLowerCase()}`]));
  return { parameter, values, isRequired: !names.includes(OWN) };
}

/** Stores the state of a connection when it changes. A failed write is repeated with the next change. */
interface Report {
  become(status: NotifierStatus): Promise<void>;
  notified(): Promise<void>;
  /** A process that was never connected stores nothing. */
  stop(): Promise<void>;
}

function createReport({ account, notifier, store, clock, log }: FollowNotificationsOptions): Report {
  let report: NotifierReport | undefined;
  let storedText = '';
  let notedMs = -Infinity;

  async function keep(next: NotifierReport): Promise<void> {
    report = next;
    const text = JSON.stringify(next);
    if (text === storedText) return;
    try {
      await store.keepReport(account, next);
      storedText = text;
    } catch (error) {
      log.debug({ account, error }, 'the state of the connection for notifications cannot be stored');
    }
  }

  async function become(status: NotifierStatus): Promise<void> {
    // Other processes receive the requests of a platform too, and store when the last one came.
    const before = (notifier.receiver ? undefined : report) ?? (await store.report(account).catch(() => report));
    await keep({ ...status, notifiedAt: before?.notifiedAt });
  }

  return {
    become,
    async notified() {
      const nowMs = clock.nowMs();
      if (!report || nowMs - notedMs < NOTE_EVERY_MS) return;
      notedMs = nowMs;
      await keep({ ...report, notifiedAt: new Date(nowMs) });
    },
    stop: async () => report && become({ state: 'stopped' }),
  };
}
