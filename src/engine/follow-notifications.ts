import type { Clock } from '#src/clock.ts';
import type { NotificationEndpoint } from '#src/clients/operation/notification-request.ts';
import {
  OWN,
  type Change,
  type ConnectOptions,
  type NamesByOperation,
  type Notifier,
  type NotifierReport,
  type NotifierStatus,
  type NotifierStore,
  type WatchedNames,
} from '#src/clients/operation/notifier.ts';
import { type Fault, PlatformError, messageOf } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { Coverage } from './coverage.ts';
import type { Hint } from './hints.ts';
import { reconnect } from './reconnect.ts';

/** A limit of the platform, or a server without notifications, lasts until a person acts. */
const LASTING_PAUSE_MS = 60 * 60_000;
/** The pauses after failures that platforms expect, which grow up to the longest one. */
const PAUSES_MS: Partial<Record<Fault, number>> = { unavailable: 5_000, rateLimited: 60_000 };
const LONGEST_PAUSE_MS = 15 * 60_000;
/** Platforms end connections now and then, so fewer failures in a row are no reason for a warning. */
const WARN_AFTER = 3;
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
 * Receives the notifications of an account while rules watch names through it, until `signal` aborts. One process at a time is connected, and
 * another one can be its substitute. Never rejects: without notifications, rules poll at their slots.
 */
export async function followNotifications(options: FollowNotificationsOptions): Promise<void> {
  const { account, notifier, endpoint, store, coverage, log, signal } = options;
  const report = createReport(options);
  const following = { ...options, onNotification: logsMalformed(options) };
  const substitute = notifier.takesSubstitute ? createSubstitute(following) : undefined;
  let isWarned = false;

  await reconnect({
    ...options,
    async hasRemains() {
      const subscriptions = (await endpoint?.subscriptions.all()) ?? [];
      return subscriptions.length > 0 || (await store.textOf(account).load()) !== undefined;
    },
    async mayConnect() {
      if (!notifier.receiver || endpoint) return true;
      await report.become({ state: 'off', problem: NO_ADDRESS });
      return false;
    },
    async attempt(onConnected) {
      const onWait = (): void => substitute?.begin();
      using claim = await store.claim({ account, isSubstitute: false, onWait, signal });
      await report.become({ state: 'connecting' });
      await connect(following, {
        isSubstitute: false,
        lost: claim.lost,
        onCovered(names, presenceOnly) {
          coverage.set({ account, client: options.client, operations: notifier.operations, names, presenceOnly });
          void report.cover(names, presenceOnly);
        },
        onNotified: () => void report.notified(),
        onStatus(status) {
          if (status.state === 'connected') {
            if (isWarned) log.info({ account }, 'the platform notifies about changes again');
            isWarned = false;
            onConnected();
            substitute?.end();
          }
          void report.become(status);
        },
      });
    },
    ended: () => coverage.clear(account),
    idle: () => report.become({ state: 'stopped' }),
    async failed(error, failures) {
      const problem = messageOf(error);
      const fault = error instanceof PlatformError ? error.fault : undefined;
      const isLimited = fault === 'quotaExhausted';
      const isUnavailable = fault === 'missing' || fault === 'forbidden';
      if (isUnavailable && failures === 1) {
        log.info({ account, problem }, 'the platform does not offer notifications; the rules poll at their slots');
      } else if (!isUnavailable && failures === (isLimited ? 1 : WARN_AFTER)) {
        isWarned = true;
        log.warn({ account, problem }, 'the platform does not notify about changes; the rules poll at their slots');
      } else log.debug({ account, problem }, 'the connection for notifications was lost');
      await report.become({ state: 'failed', problem, ...(fault && { fault }) });
      return isLimited || isUnavailable ? LASTING_PAUSE_MS : pauseAfter(error, failures, options.clock.nowMs());
    },
  });
  substitute?.end();
  await Promise.all([substitute?.ended(), report.stop()]);
}

/** Counts notifications, and logs the first malformed one. */
function logsMalformed({
  account,
  onNotification,
  log,
}: Pick<FollowNotificationsOptions, 'account' | 'onNotification' | 'log'>): FollowNotificationsOptions['onNotification'] {
  let isLogged = false;
  return (of, kind) => {
    onNotification(of, kind);
    if (kind !== 'malformed' || isLogged) return;
    isLogged = true;
    log.warn({ account }, 'the platform sent a notification in an unknown form; it is ignored, and so are later ones');
  };
}

/** The pause that the platform asks for; undefined: the usual one. */
function pauseAfter(error: unknown, failures: number, nowMs: number): number | undefined {
  if (!(error instanceof PlatformError)) return undefined;
  const firstMs = PAUSES_MS[error.fault];
  if (firstMs === undefined) return undefined;
  return Math.max(Math.min(firstMs * 2 ** (failures - 1), LONGEST_PAUSE_MS), (error.retryAt?.getTime() ?? 0) - nowMs);
}

/** The second connection of an account: it begins when another process has the first one, and ends when this process has it. */
interface Substitute {
  begin(): void;
  end(): void;
  ended(): Promise<void> | undefined;
}

function createSubstitute(options: FollowNotificationsOptions): Substitute {
  const { account, store, log } = options;
  let stopping: AbortController | undefined;
  let running: Promise<void> | undefined;
  return {
    begin() {
      if (stopping) return;
      stopping = new AbortController();
      const signal = AbortSignal.any([options.signal, stopping.signal]);
      const before = running;
      const run = reconnect({
        ...options,
        signal,
        async attempt(onConnected) {
          await before;
          using claim = await store.claim({ account, isSubstitute: true, signal });
          const onStatus = ({ state }: NotifierStatus): void => void (state === 'connected' && onConnected());
          await connect({ ...options, signal }, { isSubstitute: true, lost: claim.lost, onStatus });
        },
        async failed(error) {
          log.debug({ account, error }, 'the second connection for notifications was lost');
          return undefined;
        },
      });
      running = run;
    },
    end() {
      stopping?.abort();
      stopping = undefined;
    },
    ended: () => running,
  };
}

interface OneConnection {
  readonly isSubstitute: boolean;
  /** Aborts when another process may be connected. */
  readonly lost: AbortSignal | undefined;
  readonly onStatus: ConnectOptions['onStatus'];
  readonly onCovered?: ConnectOptions['onCovered'];
  readonly onNotified?: () => void;
}

function connect(
  { account, client, notifier, names, endpoint, store, onHint, onNotification, signal }: FollowNotificationsOptions,
  { isSubstitute, lost, onStatus, onCovered = () => undefined, onNotified = () => undefined }: OneConnection,
): Promise<void> {
  return notifier.connect({
    isSubstitute,
    names,
    stored: store.textOf(account),
    endpoint,
    onStatus,
    onCovered,
    onNotification(kind) {
      onNotification(account, kind);
      onNotified();
    },
    onChange(change) {
      for (const hint of hintsAbout(change, { account, client, notifier })) onHint(hint);
    },
    signal: lost ? AbortSignal.any([signal, lost]) : signal,
  });
}

/** The hints about a change; undefined: anything may have changed. */
export function hintsAbout(
  change: Change | undefined,
  { account, client, notifier }: Pick<FollowNotificationsOptions, 'account' | 'client' | 'notifier'>,
): readonly Hint[] {
  const changes = change ? [change] : notifier.operations.map(({ operation }): Change => ({ operation, names: undefined }));
  return changes.map((one) => ({ account, verb: `${client}.${one.operation}`, named: namedOf(one, notifier) }));
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
  cover(names: NamesByOperation, presenceOnly?: NamesByOperation): Promise<void>;
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
    const { covered, coveredPresence } = (status.state === 'connected' ? report : undefined) ?? {};
    await keep({ ...status, notifiedAt: before?.notifiedAt, covered, coveredPresence });
  }

  return {
    become,
    async notified() {
      const nowMs = clock.nowMs();
      if (!report || nowMs - notedMs < NOTE_EVERY_MS) return;
      notedMs = nowMs;
      await keep({ ...report, notifiedAt: new Date(nowMs) });
    },
    cover: async (names, presenceOnly) =>
      report && keep({ ...report, covered: Object.fromEntries(names), coveredPresence: presenceOnly && Object.fromEntries(presenceOnly) }),
    stop: async () => report && become({ state: 'stopped' }),
  };
}
