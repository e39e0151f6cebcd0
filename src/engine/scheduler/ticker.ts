import { once } from 'node:events';
import { schedule } from 'node-cron';
import { systemClock, type Clock } from '#src/clock.ts';
import { Alarm } from '#src/engine/alarm.ts';
import type { Log } from '#src/log.ts';
import type { DueTimes } from './scheduler.ts';

const EVERY_MINUTE = '* * * * *';
/** A clock that is set forward, or a machine that slept, delays the next tick by this time at most. */
const LONGEST_PAUSE_MS = 5_000;
/** No rule runs more often than every 5 seconds, so a smaller step back needs no restart. */
const NOTICED_MS = 10_000;

/** Ticks of a process that runs no rules: they only compare the clock. */
export function nothingDue(): Pick<TickerOptions, 'onTick' | 'dueTimes'> {
  return { onTick: () => Promise.resolve(), dueTimes: { soonestMs: () => Infinity, sooner: new Alarm() } };
}

export interface TickerOptions {
  readonly clock: Clock;
  readonly onTick: (signal: AbortSignal) => Promise<void>;
  /** Absent: each tick is needed. */
  readonly dueTimes?: DueTimes | undefined;
  /** Called when the first tick has ended. */
  readonly onFirstTick?: (() => void) | undefined;
  /** Receives the length of the step when the clock is set back by ten seconds or more. The ticks end then. */
  readonly onSetBack?: ((byMs: number) => void) | undefined;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * Calls `onTick` now and at the start of each second in which something is due, and five seconds after the last tick, until
 * `signal` aborts. Ticks may overlap.
 *
 * Resolves after `signal`, when no tick runs.
 */
export async function runTicker({ clock, onTick, dueTimes, onFirstTick, onSetBack, log, signal }: TickerOptions): Promise<void> {
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
    tickAtSeconds(tick, { clock, dueTimes, onSetBack, signal }),
  ]);
  await Promise.all(working);
}

async function tickByCron(tick: () => unknown, signal: AbortSignal): Promise<void> {
  const task = schedule(EVERY_MINUTE, tick, { timezone: 'UTC', name: 'fanfare', suppressMissedWarning: true });
  if (!signal.aborted) await once(signal, 'abort');
  await task.destroy();
}

/** Ticks between the ticks of node-cron, which take ten times the CPU time of a timer. */
async function tickAtSeconds(
  tick: () => unknown,
  { clock, dueTimes, onSetBack = () => undefined, signal }: Pick<TickerOptions, 'clock' | 'dueTimes' | 'onSetBack' | 'signal'>,
): Promise<void> {
  const sooner = dueTimes?.sooner ?? new Alarm();
  let lastMs = clock.nowMs();
  while (!signal.aborted) {
    const fromMs = clock.nowMs();
    const plannedMs = fromMs + pauseMs(fromMs, dueTimes?.soonestMs());
    const isEarlier = await sooner.wait(plannedMs - fromMs, { clock, signal });
    if (signal.aborted) return;
    const nowMs = clock.nowMs();
    if (lastMs - nowMs >= NOTICED_MS) return onSetBack(lastMs - nowMs);
    lastMs = nowMs;
    // The alarm may ring in the planned instant.
    if (!isEarlier || nowMs >= plannedMs) tick();
  }
}

/** The time until the start of the next second in which something can be due. */
function pauseMs(nowMs: number, soonestMs = nowMs): number {
  const nextMs = nowMs - (nowMs % 1000) + 1000;
  return Math.min(Math.max(nextMs, Math.ceil(soonestMs / 1000) * 1000) - nowMs, LONGEST_PAUSE_MS);
}
