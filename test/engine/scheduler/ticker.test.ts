import { describe, expect, test } from 'vitest';
import { systemClock } from '#src/clock.ts';
import { Alarm } from '#src/engine/alarm.ts';
import { createLog, silentLog } from '#src/log.ts';
import { runTicker } from '#src/engine/scheduler/ticker.ts';
import { ManualClock } from '../../support/manual-clock.ts';

describe.for([
  ['the clock of the machine', () => systemClock],
  ['another clock', () => new ManualClock()],
] as const)('with %s, a ticker', ([, clockOf]) => {
  test('ticks at once and ends when its signal aborts, after the running tick', async () => {
    const stopping = new AbortController();
    const running = Promise.withResolvers<void>();
    const events: string[] = [];
    const onTick = (): Promise<void> => {
      events.push('tick');
      return running.promise;
    };

    const ended = runTicker({ clock: clockOf(), onTick, log: silentLog, signal: stopping.signal }).then(() => events.push('end'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(events).toEqual(['tick']);
    stopping.abort();
    await new Promise((resolve) => setImmediate(resolve));
    expect(events).not.toContain('end');
    running.resolve();
    await ended;
  });

  test('ticks once if its signal is already aborted', async () => {
    let ticks = 0;

    await runTicker({ clock: clockOf(), onTick: async () => void ticks++, log: silentLog, signal: AbortSignal.abort() });

    expect(ticks).toBe(1);
  });
});

test('a ticker ticks at the start of each second, not after its signal aborts, and logs failed ticks', async () => {
  const clock = new ManualClock('2026-11-20T18:00:00.400Z');
  const stopping = new AbortController();
  const ticksMs: number[] = [];
  const lines: string[] = [];
  const log = createLog({ level: 'error', secrets: [], color: false, write: (line) => lines.push(line) });
  const onTick = async (): Promise<void> => {
    ticksMs.push(clock.nowMs() % 60_000);
    if (ticksMs.length === 2) throw new Error('the disk is full');
  };

  const ended = runTicker({ clock, onTick, log, signal: stopping.signal });
  await clock.advance(2_000);
  stopping.abort();
  await clock.advance(5_000);
  await ended;

  expect(ticksMs).toEqual([400, 1_000, 2_000]);
  expect(lines).toEqual([expect.stringMatching(/a tick failed.*the disk is full/su)]);
});

test('a ticker with due times ticks when something is due, and five seconds after the last tick', async () => {
  const clock = new ManualClock('2026-11-20T18:00:00.400Z');
  const stopping = new AbortController();
  const ticksMs: number[] = [];
  let soonestMs = Infinity;
  const sooner = new Alarm();
  const onTick = async (): Promise<void> => {
    ticksMs.push(clock.nowMs() % 60_000);
    soonestMs = clock.nowMs() === Date.parse('2026-11-20T18:00:05.400Z') ? clock.nowMs() + 1_700 : Infinity;
  };

  const ended = runTicker({
    clock,
    onTick,
    dueTimes: { soonestMs: () => soonestMs, sooner },
    log: silentLog,
    signal: stopping.signal,
  });
  await clock.advance(9_000);
  soonestMs = clock.nowMs();
  sooner.ring();
  await clock.advance(3_000);
  stopping.abort();
  await ended;

  expect(ticksMs).toEqual([400, 5_400, 8_000, 10_000]);
});

test('a ticker ticks at the planned instant if something becomes due earlier in that instant', async () => {
  const clock = new ManualClock('2026-11-20T18:00:00.400Z');
  const stopping = new AbortController();
  const ticksMs: number[] = [];
  const sooner = new Alarm();
  const changed = clock.sleep(1_600).then(() => sooner.ring());

  const ended = runTicker({
    clock,
    onTick: async () => void ticksMs.push(clock.nowMs() % 60_000),
    dueTimes: { soonestMs: () => Date.parse('2026-11-20T18:00:02.000Z'), sooner },
    log: silentLog,
    signal: stopping.signal,
  });
  await clock.advance(1_600);
  await changed;
  stopping.abort();
  await ended;

  expect(ticksMs).toEqual([400, 2_000]);
});
