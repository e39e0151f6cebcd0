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

/** Calls `onTick` at once and every second until `signal`; a tick does not wait for the work of the one before. */
export function startTicker({ clock, onTick, log, signal }: TickerOptions): void {
  const tick = (): void => {
    onTick().catch((error: unknown) => log.error({ error }, 'tick failed'));
  };
  tick();
  if (clock === systemClock) {
    const task = schedule(EVERY_SECOND, tick, { timezone: 'UTC', name: 'fanfare', suppressMissedWarning: true });
    signal.addEventListener('abort', () => void task.destroy(), { once: true });
  } else {
    // node-cron knows the machine's time only.
    void tickOn(clock, tick, signal);
  }
}

async function tickOn(clock: Clock, tick: () => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(1000 - (clock.nowMs() % 1000), signal).catch(() => undefined);
    if (!signal.aborted) tick();
  }
}
