import { expect, test } from 'vitest';
import type { Clock } from '#src/clock.ts';
import { silentLog } from '#src/log.ts';
import { nothingDue, runTicker } from '#src/engine/scheduler/ticker.ts';

const START_MS = Date.parse('2026-11-20T20:00:00Z');

/** A clock with these instants, in milliseconds from the start, and the next one after each sleep. It stops at the last one. */
function clockThatShows(instants: readonly number[], stopping = new AbortController()): { clock: Clock; signal: AbortSignal } {
  let at = 0;
  const clock: Clock = {
    nowMs: () => START_MS + (instants[at] ?? 0),
    sleep: () => {
      if (at === instants.length - 1) stopping.abort(new Error('the end'));
      else at++;
      return Promise.resolve();
    },
  };
  return { clock, signal: stopping.signal };
}

/** The length of the step that a ticker reports; undefined if it reports none until its end. */
async function untilSetBack(of: { clock: Clock; signal: AbortSignal }): Promise<number | undefined> {
  let steppedMs: number | undefined;
  await runTicker({ ...of, onTick: async () => undefined, onSetBack: (byMs) => (steppedMs = byMs), log: silentLog });
  return steppedMs;
}

test('a clock that is set back by ten seconds or more is noticed within a second', async () => {
  expect(await untilSetBack(clockThatShows([0, 1_000, 2_000, -7_198_000, -7_197_000]))).toBe(7_200_000);
  expect(await untilSetBack(clockThatShows([0, 1_000, -9_000]))).toBe(10_000);
});

test('a small step back, a step ahead and a shutdown are not reported', async () => {
  expect(await untilSetBack(clockThatShows([0, 1_000, -4_000, -3_000, 3_600_000, 3_601_000]))).toBeUndefined();
});

test('a process that runs no rules notices it too, within five seconds', async () => {
  let steppedMs: number | undefined;
  await runTicker({ ...clockThatShows([0, 5_000, -9_000]), ...nothingDue(), onSetBack: (byMs) => (steppedMs = byMs), log: silentLog });

  expect(steppedMs).toBe(14_000);
});
