import { once } from 'node:events';
import { schedule } from 'node-cron';
import { systemClock, type Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';

const EVERY_MINUTE = '* * * * *';
/** No rule runs more often than every 5 seconds, so a smaller step back needs no restart. */
const NOTICED_MS = 10_000;

export interface TickerOptions {
  readonly clock: Clock;
  readonly onTick: (signal: AbortSignal) => Promise<void>;
  /** Called when the first tick has ended. */
  readonly onFirstTick?: (() => void) | undefined;
  /** Receives the length of the step when the clock is set back by ten seconds or more. The ticks end then. */
  readonly onSetBack?: ((byMs: number) => void) | undefined;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * Calls `onTick` now and every second until `signal` aborts. Ticks may overlap.
 *
 * Resolves after `signal`, when no tick runs.
 */
export async function runTicker({ clock, onTick, onFirstTick, onSetBack, log, signal }: TickerOptions): Promise<void> {
  const working = new Set<Promise<void>>();
  const tick = (): Promise<void> => {
    const work: Promise<void> = onTick(signal)
      .catch((error: unknown) => log.error({ error }, 'a tick failed'))
      .finally(() => working.delete(work));
    working.add(work);
    return work;
  };
  void tick().then(onFirstTick);
  await Promise.all([
    // node-cron only knows the time of the machine.
    clock === systemClock && tickByCron(tick, signal),
    tickEachSecond(tick, { clock, onSetBack, signal }),
  ]);
  await Promise.all(working);
}

async function tickByCron(tick: () => unknown, signal: AbortSignal): Promise<void> {
  const task = schedule(EVERY_MINUTE, tick, { timezone: 'UTC', name: 'fanfare', suppressMissedWarning: true });
  if (!signal.aborted) await once(signal, 'abort');
  await task.destroy();
}

/** Ticks between the ticks of node-cron, which take ten times the CPU time of a timer. */
async function tickEachSecond(
  tick: () => unknown,
  { clock, onSetBack = () => undefined, signal }: Pick<TickerOptions, 'clock' | 'onSetBack' | 'signal'>,
): Promise<void> {
  let lastMs = clock.nowMs();
  while (!signal.aborted) {
    await clock.sleep(1000 - (clock.nowMs() % 1000), signal).catch(() => undefined);
    if (signal.aborted) return;
    const nowMs = clock.nowMs();
    if (lastMs - nowMs >= NOTICED_MS) return onSetBack(lastMs - nowMs);
    lastMs = nowMs;
    tick();
  }
}
