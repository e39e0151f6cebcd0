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
 * Calls `onTick` at once and every second until `signal`; a tick does not wait for the work of the one before.
 *
 * Resolves after `signal`, when no tick is at work any more.
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
  // node-cron knows the machine's time only.
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
