import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { Journal } from './journal.ts';
import { StoredMap } from './stored-map.ts';

/** The last movement. The time is a function of it and of the clock of the machine, so that a restart continues with the same time. */
const Movement = z.object({ id: z.literal('clock'), machineMs: z.number(), worldMs: z.number(), speed: z.number() });

/** How a clock moves from now on. */
interface ClockOrder {
  /** The speed relative to the clock of the machine; absent: unchanged. */
  readonly speed?: number | undefined;
  /** The length of the jump, in milliseconds. */
  readonly forwardMs?: number | undefined;
}

/** A clock that people set to another speed and forward, never back. Its sleeps end at the new time. */
export interface MovableClock extends Clock {
  readonly speed: number;
  move(order: ClockOrder): void;
}

/** A movable clock over the clock of the machine. It continues with the last movement in the journal. */
export function movableClock(machine: Clock, journal: Journal): MovableClock {
  const stored = new StoredMap({ journal, collection: 'clock', schema: Movement, keyOf: ({ id }) => id });
  const sleepers = new Set<AbortController>();
  let movement = stored.get('clock');

  function nowMs(): number {
    if (!movement) return machine.nowMs();
    const { machineMs, worldMs, speed } = movement;
    return worldMs + Math.round((machine.nowMs() - machineMs) * speed);
  }

  /** Resolves at an instant; the next movement ends the wait early. */
  async function waitUntil(untilMs: number, signal: AbortSignal | undefined): Promise<void> {
    const waiting = new AbortController();
    const stop = (): void => waiting.abort();
    sleepers.add(waiting);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      await machine.sleep(Math.max(0, untilMs - nowMs()) / (movement?.speed ?? 1), waiting.signal);
    } catch (error) {
      if (!waiting.signal.aborted) throw error;
      signal?.throwIfAborted();
    } finally {
      sleepers.delete(waiting);
      signal?.removeEventListener('abort', stop);
    }
  }

  return {
    get speed() {
      return movement?.speed ?? 1;
    },
    nowMs,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      const untilMs = nowMs() + ms;
      let movedAt: typeof movement;
      do {
        movedAt = movement;
        await waitUntil(untilMs, signal);
        // Timers may end a millisecond early, so only a movement continues the wait.
      } while (movedAt !== movement && nowMs() < untilMs);
    },
    move({ speed = movement?.speed ?? 1, forwardMs = 0 }) {
      if (!(speed > 0 && forwardMs >= 0)) throw new RangeError('a clock moves forward only');
      movement = stored.put({ id: 'clock', machineMs: machine.nowMs(), worldMs: nowMs() + forwardMs, speed });
      for (const sleeper of sleepers) sleeper.abort();
    },
  };
}
