import type { Clock } from '#src/clock.ts';
import type {
  NotificationHead,
  NotificationReceiver,
  NotificationRefusal,
  NotificationRequest,
  ReceivedNotification,
  ReceiveOptions,
} from '#src/clients/operation/notification-request.ts';
import type { Change } from '#src/clients/operation/notifier.ts';
import { isDatabaseUnavailable, isOutage, PlatformError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import { createFaultLog } from './fault-log.ts';
import { createLaterHints } from './later-hints.ts';
import { createRecentIds } from './recent-ids.ts';

/** Platforms repeat a request within some minutes. */
const REPEATED_FOR_MS = 15 * 60_000;

/** An account whose platform notifies over the public address. */
export interface NotifiedAccount extends Omit<ReceiveOptions, 'nowMs'> {
  readonly receiver: NotificationReceiver;
  /** Brings the polls of queries forward; without a change, those of all queries that the platform notifies about. */
  readonly hint: (change?: Change) => void;
  /** Stores when the platform last notified. */
  readonly noteNotified: (at: Date) => Promise<void>;
}

/** The answer to a request. */
export type NotificationAnswer =
  | { readonly status: 200; readonly text: string }
  | { readonly status: 204 }
  | { readonly status: 400 | 401 | 404 | 429 | 503; readonly code: string; readonly detail: string; readonly retryAfterSeconds?: number };

/** The result of a request, for the metrics. */
type NotificationOutcome = 'accepted' | 'repeated' | 'challenge' | 'ended' | NotificationRefusal | 'tooMany' | 'notStored';

export interface NotificationsOptions {
  readonly accounts: ReadonlyMap<string, NotifiedAccount>;
  readonly onRequest: (account: string, outcome: NotificationOutcome) => void;
  readonly onNotification: (account: string, type: string) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Receives the notifications of platforms at the public address. */
export interface Notifications {
  /** The largest body of requests to an account, in bytes; undefined for an unknown one. */
  maxBytes(account: string): number | undefined;
  /** The answer to a request whose body is not read; undefined: the body is read. */
  refuse(account: string, head: NotificationHead): Promise<NotificationAnswer | undefined>;
  receive(account: string, request: NotificationRequest): Promise<NotificationAnswer>;
}

/** Above this number of notifications in a minute, the platform has to repeat them, and one poll of all queries replaces their hints. */
const MOST_A_MINUTE = 6_000;
const MINUTE_MS = 60_000;
const RETRY_AFTER_S = 60;
/** How often the time of the last notification is stored. */
const NOTE_EVERY_MS = 60_000;

const UNKNOWN = { status: 404, code: 'accountNotFound', detail: 'No account is notified at this address.' } as const;
const REFUSALS = {
  signature: { status: 401, code: 'notProven', detail: 'The request does not prove that the platform sent it.' },
  timestamp: { status: 401, code: 'tooOld', detail: 'The request is too old, or its time is in the future.' },
  subscription: { status: 404, code: 'subscriptionNotFound', detail: 'This installation has no such subscription.' },
  malformed: { status: 400, code: 'invalidBody', detail: 'The request has not the form of a notification.' },
} as const satisfies Record<NotificationRefusal, NotificationAnswer>;
const TOO_MANY = {
  status: 429,
  code: 'tooManyRequests',
  detail: 'Too many notifications arrived.',
  retryAfterSeconds: RETRY_AFTER_S,
} as const;
const UNSTORED = {
  status: 503,
  code: 'notStored',
  detail: 'The notification cannot be checked now. Send it again later.',
  retryAfterSeconds: RETRY_AFTER_S,
} as const;

/** The log line of each refusal. */
const FAULTS: Readonly<Record<NotificationRefusal, string>> = {
  signature: 'a notification was refused, because its signature is wrong',
  timestamp: 'a notification was refused, because it is too old or from the future',
  subscription: 'a notification was refused, because this installation has no such subscription',
  malformed: 'a notification was refused, because it has another form than the platform documents',
};

/** Creates the receiver of the notifications of all accounts. */
export function createNotifications({ accounts, onRequest, onNotification, clock, log, signal }: NotificationsOptions): Notifications {
  const faults = createFaultLog({ clock, log });
  const opened = new Map([...accounts].map(([name, account]) => [name, open(name, account)]));

  function refused(name: string, reason: NotificationRefusal): NotificationAnswer {
    onRequest(name, reason);
    faults.warn({ name, fault: FAULTS[reason] }, { account: name });
    return REFUSALS[reason];
  }

  /** Makes failures that pass the answer to a request. */
  async function unlessPassing<T>(account: string, work: () => Promise<T>): Promise<T | NotificationAnswer> {
    try {
      return await work();
    } catch (error) {
      const isPassing = error instanceof PlatformError || (error instanceof Error && (isOutage(error) || isDatabaseUnavailable(error)));
      if (!isPassing) throw error;
      onRequest(account, 'notStored');
      faults.warn({ name: account, fault: 'a notification cannot be checked now' }, { account, problem: error.message });
      return UNSTORED;
    }
  }

  function open(name: string, account: NotifiedAccount): (request: NotificationRequest) => Promise<NotificationAnswer> {
    const isRepeat = createRecentIds({ forMs: REPEATED_FOR_MS, clock });
    const hintLater = createLaterHints({ hint: account.hint, clock, signal });
    let minute = { startMs: -Infinity, count: 0 };
    let notedMs = -Infinity;

    function isTooMany(nowMs: number): boolean {
      const isOver = nowMs - minute.startMs >= MINUTE_MS || nowMs < minute.startMs;
      minute = isOver ? { startMs: nowMs, count: 1 } : { ...minute, count: minute.count + 1 };
      return minute.count > MOST_A_MINUTE;
    }

    function note(nowMs: number): void {
      if (nowMs - notedMs < NOTE_EVERY_MS && nowMs >= notedMs) return;
      notedMs = nowMs;
      account.noteNotified(new Date(nowMs)).catch((error: unknown) => {
        log.debug({ account: name, error }, 'the time of a notification cannot be stored');
      });
    }

    function accept({ id, type, changes }: ReceivedNotification & { readonly kind: 'notification' }, nowMs: number): NotificationAnswer {
      note(nowMs);
      if (isTooMany(nowMs)) {
        onRequest(name, 'tooMany');
        faults.warn({ name, fault: 'too many notifications arrived; all rules are polled instead' }, { account: name });
        account.hint();
        return TOO_MANY;
      }
      onNotification(name, type);
      const repeats = isRepeat(id);
      onRequest(name, repeats ? 'repeated' : 'accepted');
      if (!repeats) for (const change of changes) hintLater(change);
      return { status: 204 };
    }

    return async (request) => {
      const nowMs = clock.nowMs();
      const received = await account.receiver.receive(request, { ...account, nowMs });
      switch (received.kind) {
        case 'notification':
          return accept(received, nowMs);
        case 'challenge':
          onRequest(name, 'challenge');
          return { status: 200, text: received.answer };
        case 'ended':
          onRequest(name, 'ended');
          return { status: 204 };
        case 'refused':
          return refused(name, received.reason);
      }
    };
  }

  return {
    maxBytes: (account) => accounts.get(account)?.receiver.maxBytes,

    async refuse(account, head) {
      const { receiver, secret } = accounts.get(account) ?? {};
      if (!receiver?.admits || !secret) return undefined;
      const admits = await unlessPassing(account, async () => receiver.admits?.(head, { secret }));
      return typeof admits === 'object' ? admits : admits ? undefined : refused(account, 'subscription');
    },

    async receive(account, request) {
      const receive = opened.get(account);
      return receive ? unlessPassing(account, () => receive(request)) : UNKNOWN;
    },
  };
}
