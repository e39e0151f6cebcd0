import { expect, test } from 'vitest';
import { createProcessStart } from '#src/admin/queries/process-start.ts';

const START_MS = Date.parse('2026-11-20T18:00:00Z');
const HOUR_MS = 3_600_000;

/** A process that has run for two seconds, on a clock that is ahead by `aheadMs`, and a machine that has run for an hour. */
function begin({ aheadMs = 0 }: { readonly aheadMs?: number } = {}) {
  const machine = { nowMs: START_MS + 2_000 + aheadMs, uptimeMs: HOUR_MS };
  const startMs = createProcessStart({
    clock: { nowMs: () => machine.nowMs },
    originMs: START_MS + aheadMs,
    aliveMs: 2_000,
    uptimeMs: () => machine.uptimeMs,
  });
  const pass = (ms: number, byClockMs = ms): void => {
    machine.nowMs += byClockMs;
    machine.uptimeMs += ms;
  };
  return { startMs, pass };
}

test.for([-30 * HOUR_MS, 9_000 * HOUR_MS])('the start is right when the clock that was wrong by %i ms is right again', (aheadMs) => {
  const { startMs, pass } = begin({ aheadMs });
  expect(startMs()).toBe(START_MS + aheadMs);
  pass(HOUR_MS, HOUR_MS - aheadMs);
  expect(startMs()).toBe(START_MS);
});

test('the start stays when time passes, when the uptime is rounded and when the clock is corrected by a second', () => {
  const { startMs, pass } = begin();
  for (const byClockMs of [HOUR_MS, HOUR_MS + 900, HOUR_MS - 2_000]) {
    pass(HOUR_MS, byClockMs);
    expect(startMs()).toBe(START_MS);
  }
});
