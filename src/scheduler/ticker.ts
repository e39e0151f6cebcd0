import { once } from 'node:events';
import { schedule } from 'node-cron';
import { systemClock, type Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';

const EVERY_SECOND = '* * * * * *';

export interface TickerOptions {
  readonly clock: Clock;
  readonly onTick: () => Promise<void>;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * Calls `onTick` now and every second until `signal` aborts. Ticks may overlap.
 *
 * Resolves after `signal`, when no tick runs.
 */
export async function runTicker({ clock, onTick, log, signal }: TickerOptions): Promise<void> {
  const working = new Set<Promise<void>>();
  const tick = (): void => {
    const work = onTick()
      .catch((error: unknown) => log.error({ error }, 'a tick failed'))
      .finally(() => working.delete(work));
    working.add(work);
  };
  tick();
  // node-cron only knows the time of the machine.
  await (clock === systemClock ? tickByCron(tick, signal) : tickOn(clock, tick, signal));
  await Promise.all(working);
}

async function tickByCron(tick: () => void, signal: AbortSignal): Promise<void> {
  const task = schedule(EVERY_SECOND, tick, { timezone: 'UTC', name: 'fanfare', suppressMissedWarning: true });
  if (!signal.aborted) await once(signal, 'abort');
  await task.destroy();
}

async function tickOn(clock: Clock, tick: () => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(1000 - (clock.nowMs() % 1000), signal).catch(() => undefined);
    if (!signal.aborted) tick();
  }
}

/** No rule runs more often than every 5 seconds, so a smaller step back needs no restart. */
const NOTICED_MS = 10_000;
const CHECK_EVERY_MS = 1_000;

/**
 * Resolves with the length of the step when the clock is set back by ten seconds or more; with undefined when `signal` aborts.
 *
 * Ticks cannot notice the step: node-cron stays silent until the clock reaches the next tick again.
 */
export async function untilSetBack({
  clock,
  signal,
}: {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<number | undefined> {
  let lastMs = clock.nowMs();
  while (!signal.aborted) {
    await clock.sleep(CHECK_EVERY_MS, signal).catch(() => undefined);
    const nowMs = clock.nowMs();
    if (lastMs - nowMs >= NOTICED_MS && !signal.aborted) return lastMs - nowMs;
    lastMs = nowMs;
  }
  return undefined;
}
