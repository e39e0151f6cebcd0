import type { Clock } from '#src/clock.ts';

/** A clock that starts at the time of `clock` and runs `speed` times as fast. */
export function speedClock(clock: Clock, speed: number): Clock {
  if (!(speed > 0)) throw new RangeError(`the speed of a clock must be above 0, not ${speed}`);
  if (speed === 1) return clock;
  const startMs = clock.nowMs();
  return {
    nowMs: () => startMs + Math.round((clock.nowMs() - startMs) * speed),
    sleep: (ms, signal) => clock.sleep(ms / speed, signal),
  };
}
