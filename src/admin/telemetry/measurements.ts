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
  slotCommitted(commit: Pick<Commit, 'slotMs' | 'firings' | 'decisions'>, times?: Pick<SlotTimes, 'committedMs' | 'hint'>): void;
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
  /** Estimated requests that were not needed. `names`: polls of some names took fewer ones than polls of the whole lists. `rest`: slots had no poll. */
  readonly requestsSaved: (account: string, by: 'names' | 'rest', requests: number) => void;
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

/** The number of announcements whose deliveries are awaited. */
const MOST_NOTICED = 1_000;

/** An announcement of a change, and when it happened. */
interface Noticed {
  /** The platform, and what noticed the change. */
  readonly series: string;
  readonly occurredMs: number;
}

/** Begins to measure. */
export function createMeasurements({ platformOf = (account) => account, clock }: MeasurementsOptions): Measurements {
  const slots = new Histogram(METRICS.fanfare_slot_commit_seconds.buckets);
  const noticeDelays = new Histogram(METRICS.fanfare_notice_delay_seconds.buckets);
  const announcementDelays = new Histogram(METRICS.fanfare_announcement_delay_seconds.buckets);
  const noticed = new Map<string, Noticed>();
  const polls = new Histogram(METRICS.fanfare_poll_seconds.buckets);
  const failures = new Counter();
  const receipts = new Histogram(METRICS.fanfare_delivery_receipt_seconds.buckets);
  const attempts = new Counter();
  const reconciliations = new Counter();
  const webhooks = new Counter();
  const notifications = new Counter();
  const notificationRequests = new Counter();
  const hints = new Counter();
  const hintedPolls = new Counter();
  const savedRequests = new Counter();
  const rateLimits = createRateLimits(clock);

  return {
    slotCommitted({ slotMs, firings, decisions }, times) {
      if (!times) return;
      const { committedMs, hint } = times;
      slots.observe('', (committedMs - slotMs) / 1_000);
      for (const account of hint?.accounts ?? []) hintedPolls.add(account, resultOf(decisions));
      for (const { details } of decisions) {
        if (typeof details?.['occurredAt'] !== 'string') continue;
        const platform = firings.find(({ id }) => id === details['firing'])?.scope.item?.['platform'];
        if (typeof platform !== 'string') continue;
        const occurredMs = Date.parse(details['occurredAt']);
        const series = `${platform} ${details['noticedBy'] === 'notification' ? 'notification' : 'poll'}`;
        noticeDelays.observe(series, Math.max(0, committedMs - occurredMs) / 1_000);
        if (typeof details['firing'] === 'string') noticed.set(details['firing'], { series, occurredMs });
        const [oldest] = noticed.size > MOST_NOTICED ? noticed.keys() : [];
        if (oldest !== undefined) noticed.delete(oldest);
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
      const { account, createdAt, beginsAt, creates, firing } = delivery;
      const { state, sentAt } = change;
      if (kind === 'attempt') attempts.add(account, outcomeOf(change));
      else reconciliations.add(account, FINDINGS[state] ?? state);
      // The lag of a delivery with a wait would be the wait.
      if ((state === 'sent' || state === 'asked') && sentAt && !beginsAt) {
        receipts.observe(account, Math.max(0, sentAt.getTime() - createdAt.getTime()) / 1_000);
        const announced = creates ? noticed.get(firing) : undefined;
        if (announced) announcementDelays.observe(announced.series, Math.max(0, sentAt.getTime() - announced.occurredMs) / 1_000);
      }
    },

    webhookAnswered: (name, answer) => webhooks.add(name, answer),

    notified: (account, kind) => notifications.add(account, kind),

    notificationAnswered: (account, answer) => notificationRequests.add(account, answer),

    hinted: (account) => hints.add(account, ''),

    requestsSaved: (account, by, requests) => savedRequests.add(account, by, requests),

    rateLimits,

    measured() {
      const byAccount = (account: string) => ({ account });
      const byNotice = (series: string) => {
        const [platform = '', noticedBy = ''] = series.split(' ');
        return { platform, noticed: noticedBy };
      };
      return {
        fanfare_slot_commit_seconds: slots.samples(() => ({})),
        fanfare_notice_delay_seconds: noticeDelays.samples(byNotice),
        fanfare_announcement_delay_seconds: announcementDelays.samples(byNotice),
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
        fanfare_hinted_polls_total: hintedPolls.samples((account, result) => ({ platform: platformOf(account), account, result })),
        fanfare_requests_saved_estimate_total: savedRequests.samples((account, by) => ({ platform: platformOf(account), account, by })),
        fanfare_rate_limit_left_ratio: rateLimits.left(),
        fanfare_rate_limit_waits_total: rateLimits.waits(),
      };
    },
  };
}

/** The result of a poll that a hint brought forward. */
function resultOf(decisions: Commit['decisions']): string {
  if (decisions.some(({ outcome }) => outcome === 'failed')) return 'failed';
  return decisions.every(({ outcome }) => outcome === 'unchanged') ? 'none' : 'change';
}

function outcomeOf({ state, error, reason }: DeliveryChange): string {
  if (error) return error.fault;
  if (state === 'sent' || state === 'asked') return 'sent';
  return reason?.kind === 'postponed' ? 'postponed' : 'shortened';
}
