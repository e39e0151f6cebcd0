import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { EndedAttempt } from '#src/engine/delivery/attempt.ts';
import type { DeliveryChange } from '#src/engine/delivery/delivery.ts';
import type { Measured } from '#src/admin/queries/metrics.ts';
import { METRICS } from '#src/admin/queries/metric-declarations.ts';
import type { Commit } from '#src/engine/scheduler/rule-states.ts';
import type { SlotTimes } from '#src/engine/scheduler/slot-times.ts';
import { Counter, Histogram } from './histogram.ts';
import { createRateLimits, type RateLimits } from './rate-limits.ts';

export interface MeasurementsOptions {
  /** The platform of an account; absent: an account has the name of its platform. */
  readonly platformOf?: ((account: string) => string) | undefined;
  readonly clock: Clock;
}

/** What this process measures. The series have accounts, but no rules, so their number is bounded. */
export interface Measurements {
  /** `times`: absent if no slot of the schedule made the commit, which is not measured. */
  slotCommitted(commit: Pick<Commit, 'slotMs' | 'firings' | 'decisions'>, times?: Pick<SlotTimes, 'committedMs'>): void;
  /** Calls `poll`, and measures it. */
  readonly poll: <T>(account: string, poll: () => Promise<T>) => Promise<T>;
  attempted(ended: EndedAttempt): void;
  /** `answer`: `accepted`, or the code of the refusal. */
  webhookAnswered(webhook: string, answer: string): void;
  /** `kind`: the type of the event at the platform, for example `stream.online`. */
  notified(account: string, kind: string): void;
  /** A request of a platform arrived at the public address. `answer`: `accepted`, or another result. */
  notificationAnswered(account: string, answer: string): void;
  /** A hint of an account brought polls forward. */
  hinted(account: string): void;
  readonly rateLimits: RateLimits;
  /** The samples of the metrics so far. */
  measured(): Measured;
}

/** The outcomes of a reconciliation by the state of the delivery after it. */
const FINDINGS: Readonly<Partial<Record<DeliveryChange['state'], string>>> = {
  sent: 'found',
  asked: 'found',
  pending: 'absent',
  sending: 'later',
};

/** Begins to measure. */
export function createMeasurements({ platformOf = (account) => account, clock }: MeasurementsOptions): Measurements {
  const slots = new Histogram(METRICS.fanfare_slot_commit_seconds.buckets);
  const noticeDelays = new Histogram(METRICS.fanfare_notice_delay_seconds.buckets);
  const polls = new Histogram(METRICS.fanfare_poll_seconds.buckets);
  const failures = new Counter();
  const receipts = new Histogram(METRICS.fanfare_delivery_receipt_seconds.buckets);
  const attempts = new Counter();
  const reconciliations = new Counter();
  const webhooks = new Counter();
  const notifications = new Counter();
  const notificationRequests = new Counter();
  const hints = new Counter();
  const rateLimits = createRateLimits(clock);

  return {
    slotCommitted({ slotMs, firings, decisions }, times) {
      if (!times) return;
      const { committedMs } = times;
      slots.observe('', (committedMs - slotMs) / 1_000);
      for (const { details } of decisions) {
        if (typeof details?.['occurredAt'] !== 'string') continue;
        const platform = firings.find(({ id }) => id === details['firing'])?.scope.item?.['platform'];
        if (typeof platform !== 'string') continue;
        const delayMs = Math.max(0, committedMs - Date.parse(details['occurredAt']));
        noticeDelays.observe(`${platform} ${details['noticedBy'] === 'notification' ? 'notification' : 'poll'}`, delayMs / 1_000);
      }
    },

    async poll(account, poll) {
      const beganMs = clock.nowMs();
      try {
        return await poll();
      } catch (error) {
        failures.add(account, error instanceof PlatformError ? error.fault : 'other');
        throw error;
      } finally {
        polls.observe(account, (clock.nowMs() - beganMs) / 1_000);
      }
    },

    attempted({ kind, delivery, change }) {
      const { account, createdAt, beginsAt } = delivery;
      const { state, sentAt } = change;
      if (kind === 'attempt') attempts.add(account, outcomeOf(change));
      else reconciliations.add(account, FINDINGS[state] ?? state);
      // The lag of a delivery with a wait would be the wait.
      if ((state === 'sent' || state === 'asked') && sentAt && !beginsAt) {
        receipts.observe(account, Math.max(0, sentAt.getTime() - createdAt.getTime()) / 1_000);
      }
    },

    webhookAnswered: (name, answer) => webhooks.add(name, answer),

    notified: (account, kind) => notifications.add(account, kind),

    notificationAnswered: (account, answer) => notificationRequests.add(account, answer),

    hinted: (account) => hints.add(account, ''),

    rateLimits,

    measured() {
      const byAccount = (account: string) => ({ account });
      return {
        fanfare_slot_commit_seconds: slots.samples(() => ({})),
        fanfare_notice_delay_seconds: noticeDelays.samples((series) => {
          const [platform = '', noticed = ''] = series.split(' ');
          return { platform, noticed };
        }),
        fanfare_poll_seconds: polls.samples((account) => ({ platform: platformOf(account), account })),
        fanfare_poll_failures_total: failures.samples((account, fault) => ({ platform: platformOf(account), account, fault })),
        fanfare_delivery_receipt_seconds: receipts.samples(byAccount),
        fanfare_delivery_attempts_total: attempts.samples((account, outcome) => ({ account, outcome })),
        fanfare_delivery_reconciliations_total: reconciliations.samples((account, outcome) => ({ account, outcome })),
        fanfare_webhooks_total: webhooks.samples((webhook, answer) => ({ webhook, answer })),
        fanfare_notifications_total: notifications.samples((account, type) => ({ platform: platformOf(account), account, type })),
        fanfare_notification_requests_total: notificationRequests.samples((account, answer) => ({
          platform: platformOf(account),
          account,
          answer,
        })),
        fanfare_hints_total: hints.samples((account) => ({ platform: platformOf(account), account })),
        fanfare_rate_limit_left_ratio: rateLimits.left(),
        fanfare_rate_limit_waits_total: rateLimits.waits(),
      };
    },
  };
}

function outcomeOf({ state, error, reason }: DeliveryChange): string {
  if (error) return error.fault;
  if (state === 'sent' || state === 'asked') return 'sent';
  return reason?.kind === 'postponed' ? 'postponed' : 'shortened';
}
