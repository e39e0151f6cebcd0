import { expect, test } from 'vitest';
import type { EndedAttempt } from '#src/engine/delivery/attempt.ts';
import type { DeliveryChange } from '#src/engine/delivery/delivery.ts';
import { newDelivery } from '#src/engine/delivery/new-delivery.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { PlatformError } from '#src/errors.ts';
import type { SlotHint } from '#src/engine/scheduler/slot-times.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { Step } from '#src/rules/step.ts';
import { createMeasurements } from '#src/admin/telemetry/measurements.ts';
import { formatMetrics } from '#src/web/api/health.ts';
import { creating, firing, SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';

function attempt(
  change: DeliveryChange,
  { kind = 'attempt', ...step }: Partial<Step> & Partial<Pick<EndedAttempt, 'kind'>> = {},
): EndedAttempt {
  const fired = firing([creating(['x'], step)]);
  const [planned = expect.fail('no step')] = fired.steps;
  return { kind, delivery: newDelivery(planned, fired, { nowMs: SLOT_MS }), change, beganMs: SLOT_MS, endedMs: SLOT_MS };
}

test('a histogram counts each value in all buckets that hold it', () => {
  const measurements = createMeasurements({ clock: new ManualClock() });
  for (const lagMs of [100, 101, 4_000_000])
    measurements.slotCommitted({ slotMs: SLOT_MS, firings: [], decisions: [] }, { committedMs: SLOT_MS + lagMs });

  const samples = measurements.measured().fanfare_slot_commit_seconds;

  const text = formatMetrics([{ name: 'lag', type: 'histogram', help: 'Lag.', samples }]);
  expect(text).toBe(`# HELP lag Lag.
# TYPE lag histogram
lag_bucket{le="0.1"} 1
lag_bucket{le="0.25"} 2
lag_bucket{le="0.5"} 2
lag_bucket{le="1"} 2
lag_bucket{le="2.5"} 2
lag_bucket{le="5"} 2
lag_bucket{le="10"} 2
lag_bucket{le="30"} 2
lag_bucket{le="60"} 2
lag_bucket{le="300"} 2
lag_bucket{le="1800"} 2
lag_bucket{le="+Inf"} 3
lag_sum 4000.201
lag_count 3
`);
});

test('the delay of a notice is measured by platform, and by what noticed the change', () => {
  const measurements = createMeasurements({ clock: new ManualClock() });
  const fired = { ...firing([creating(['x'])]), scope: { ...firing([]).scope, item: { platform: 'twitch' } } };
  const decision = (details: JsonObject) => ({ rule: 'live', atMs: SLOT_MS, outcome: 'fired', message: 'ada is live', details }) as const;
  const occurredAt = new Date(SLOT_MS - 20_000).toISOString();
  const decisions = [
    decision({ firing: fired.id, occurredAt }),
    decision({ firing: fired.id, occurredAt, noticedBy: 'notification' }),
    decision({ firing: fired.id, occurredAt: new Date(SLOT_MS + 60_000).toISOString() }),
    decision({ firing: fired.id, noticedBy: 'notification' }),
    decision({ firing: 'another', occurredAt }),
  ];

  measurements.slotCommitted({ slotMs: SLOT_MS, firings: [fired], decisions }, { committedMs: SLOT_MS + 1_000 });
  measurements.slotCommitted({ slotMs: SLOT_MS, firings: [fired], decisions });

  const samples = measurements.measured().fanfare_notice_delay_seconds;
  expect(samples.filter(({ suffix }) => suffix !== '_bucket')).toEqual([
    { suffix: '_sum', labels: { platform: 'twitch', noticed: 'poll' }, value: 21 },
    { suffix: '_count', labels: { platform: 'twitch', noticed: 'poll' }, value: 2 },
    { suffix: '_sum', labels: { platform: 'twitch', noticed: 'notification' }, value: 21 },
    { suffix: '_count', labels: { platform: 'twitch', noticed: 'notification' }, value: 1 },
  ]);
});

test('the delay of an announcement ends with the receipt of each of its posts', () => {
  const measurements = createMeasurements({ clock: new ManualClock() });
  const fired = { ...firing([creating(['x', 'bluesky'])]), scope: { ...firing([]).scope, item: { platform: 'twitch' } } };
  const details = { firing: fired.id, occurredAt: new Date(SLOT_MS - 20_000).toISOString(), noticedBy: 'notification' };
  const decisions = [{ rule: 'live', atMs: SLOT_MS, outcome: 'fired', message: 'ada is live', details }] as const;
  const sent = attempt({ state: 'sent', sentAt: new Date(SLOT_MS + 2_000) });
  const edited = { ...sent, delivery: { ...sent.delivery, creates: false } };

  // Without its decision, nothing is known about the change.
  measurements.attempted(sent);
  measurements.slotCommitted({ slotMs: SLOT_MS, firings: [fired], decisions }, { committedMs: SLOT_MS + 1_000 });
  for (const one of [sent, sent, edited, attempt({ state: 'pending' })]) measurements.attempted(one);

  const samples = measurements.measured().fanfare_announcement_delay_seconds;
  const labels = { platform: 'twitch', noticed: 'notification' };
  expect(samples.filter(({ suffix }) => suffix !== '_bucket')).toEqual([
    { suffix: '_sum', labels, value: 44 },
    { suffix: '_count', labels, value: 2 },
  ]);
});

test('the slots of hints are counted by result, and saved requests by account', () => {
  const measurements = createMeasurements({ platformOf: () => 'twitch', clock: new ManualClock() });
  const committed = (outcomes: readonly Decision['outcome'][], hint?: SlotHint): void => {
    const decisions = outcomes.map((outcome) => ({ rule: 'live', atMs: SLOT_MS, outcome, message: '' }));
    measurements.slotCommitted({ slotMs: SLOT_MS, firings: [], decisions }, { committedMs: SLOT_MS, hint });
  };
  committed(['fired', 'unchanged'], { accounts: ['main', 'second'] });
  committed(['waiting'], { accounts: ['main'] });
  committed(['unchanged'], { accounts: ['main'] });
  committed(['failed'], { accounts: ['main'] });
  committed(['fired']);
  for (const requests of [9, 4]) measurements.requestsSaved('main', 'names', requests);
  measurements.requestsSaved('main', 'rest', 10);

  const { fanfare_hinted_polls_total: polls, fanfare_requests_saved_estimate_total: saved } = measurements.measured();
  const labels = { platform: 'twitch', account: 'main' };
  expect(polls).toEqual([
    { labels: { ...labels, result: 'change' }, value: 2 },
    { labels: { ...labels, result: 'none' }, value: 1 },
    { labels: { ...labels, result: 'failed' }, value: 1 },
    { labels: { ...labels, account: 'second', result: 'change' }, value: 1 },
  ]);
  expect(saved).toEqual([
    { labels: { ...labels, by: 'names' }, value: 13 },
    { labels: { ...labels, by: 'rest' }, value: 10 },
  ]);
});

test('polls are measured by account, and failed ones counted by fault', async () => {
  const clock = new ManualClock();
  const measurements = createMeasurements({ platformOf: () => 'twitch', clock });
  const failing = (error: Error) => measurements.poll('main', () => Promise.reject(error)).catch(() => undefined);

  const polled = measurements.poll('main', () => clock.sleep(700));
  await clock.advance(700);
  await polled;
  await failing(new PlatformError('out of order', { platform: 'twitch', fault: 'unavailable' }));
  await failing(new Error('a defect'));

  const { fanfare_poll_seconds: polls, fanfare_poll_failures_total: failures } = measurements.measured();
  expect(failures).toEqual([
    { labels: { platform: 'twitch', account: 'main', fault: 'unavailable' }, value: 1 },
    { labels: { platform: 'twitch', account: 'main', fault: 'other' }, value: 1 },
  ]);
  expect(polls.slice(-2)).toEqual([
    { suffix: '_sum', labels: { platform: 'twitch', account: 'main' }, value: 0.7 },
    { suffix: '_count', labels: { platform: 'twitch', account: 'main' }, value: 3 },
  ]);
});

test('attempts and reconciliations are counted by outcome', () => {
  const measurements = createMeasurements({ clock: new ManualClock() });
  const ended = [
    attempt({ state: 'pending', error: { fault: 'rateLimited', message: 'too many' } }),
    attempt({ state: 'pending', reason: { kind: 'postponed', message: 'later' } }),
    attempt({ state: 'pending', omitted: [] }),
    attempt({ state: 'sent', sentAt: new Date(SLOT_MS) }),
    attempt({ state: 'sending' }, { kind: 'reconcile' }),
    attempt({ state: 'pending' }, { kind: 'reconcile' }),
    attempt({ state: 'sent' }, { kind: 'reconcile' }),
    attempt({ state: 'unknown' }, { kind: 'reconcile' }),
  ];
  for (const one of ended) measurements.attempted(one);

  const { fanfare_delivery_attempts_total: attempts, fanfare_delivery_reconciliations_total: searches } = measurements.measured();
  expect(attempts.map(({ labels }) => labels?.['outcome'])).toEqual(['rateLimited', 'postponed', 'shortened', 'sent']);
  expect(searches.map(({ labels }) => labels?.['outcome'])).toEqual(['later', 'absent', 'found', 'unknown']);
});

test('the lag of a delivery with a wait does not count', () => {
  const measurements = createMeasurements({ clock: new ManualClock() });
  measurements.attempted(attempt({ state: 'sent', sentAt: new Date(SLOT_MS + 2_000) }));
  measurements.attempted(attempt({ state: 'sent', sentAt: new Date(SLOT_MS + 62_000) }, { afterMs: 60_000 }));

  const samples = measurements.measured().fanfare_delivery_receipt_seconds;

  expect(samples.slice(-2).map(({ value }) => value)).toEqual([2, 1]);
});
