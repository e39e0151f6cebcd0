import type { EndedAttempt } from '#src/engine/delivery/attempt.ts';
import { PlatformError } from '#src/errors.ts';
import type { ProcessMetrics } from '#src/admin/queries/api-queries.ts';
import type { MetricsOptions } from '#src/admin/queries/metrics.ts';
import { createMeasurements } from '#src/admin/telemetry/measurements.ts';
import { newDelivery } from '#src/engine/delivery/new-delivery.ts';
import { creating, firing, SLOT_MS } from './firings.ts';
import { ManualClock } from './manual-clock.ts';

const clock = new ManualClock(SLOT_MS + 2_000);
const measurements = createMeasurements({ platformOf: () => 'x', clock });
const posted = firing([creating(['x'])]);
const announced = { ...posted, scope: { ...posted.scope, item: { platform: 'x' } } };
const details = { firing: announced.id, occurredAt: new Date(SLOT_MS - 5_000).toISOString() };
const decision = { rule: 'live', atMs: SLOT_MS, outcome: 'fired', message: 'ada is live', details } as const;
const times = { committedMs: SLOT_MS + 400, hint: { accounts: ['twitch'] } };
measurements.slotCommitted({ slotMs: SLOT_MS, firings: [announced], decisions: [decision] }, times);
const failure = new PlatformError('x: out of order', { platform: 'x', fault: 'unavailable' });
await measurements.poll('x', () => Promise.reject(failure)).catch(() => undefined);
const limits = measurements.rateLimits.watch('x', undefined);
const rates = [{ family: 'x-rate-limit', limit: 100, remaining: 25, resetAtMs: SLOT_MS + 60_000 }];
limits.settle({ budgets: ['all'], points: 1, unstated: 0 }, { rates });
measurements.webhookAnswered('kofi', 'accepted');
measurements.notified('twitch', 'stream.online');
measurements.hinted('twitch');
measurements.requestsSaved('twitch', 'names', 9);
measurements.notificationAnswered('twitch', 'accepted');
for (const kind of ['attempt', 'reconcile'] as const) measurements.attempted(ended(kind));

function ended(kind: EndedAttempt['kind']): EndedAttempt {
  const fired = firing([creating(['x'])]);
  const [step] = fired.steps;
  if (!step) throw new Error('the firing has no step');
  const change = { state: 'sent', sentAt: new Date(SLOT_MS + 300) } as const;
  return { kind, delivery: newDelivery(step, fired, { nowMs: SLOT_MS }), change, beganMs: SLOT_MS, endedMs: SLOT_MS + 300 };
}

/** Metrics of a process with a sample of everything that it measures. */
export const processMetrics: ProcessMetrics & Pick<MetricsOptions, 'accounts'> & { readonly clock: ManualClock } = {
  accounts: () => [{ name: 'x' }],
  worker: 'worker-1',
  role: 'worker',
  database: () => ({}),
  measured: () => measurements.measured(),
  openSlots: () => Promise.resolve(3),
  lanes: () => [{ account: 'x', heldMs: 1_500 }],
  moneyBudgets: [{ account: 'x', spent: () => Promise.resolve({ spentUsd: 2, monthUsd: 10 }) }],
  lastBackupMs: () => SLOT_MS - 3_600_000,
  clock,
};
