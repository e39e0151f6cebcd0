import type { Clock } from '#src/clock.ts';
import type { Change } from '#src/clients/operation/notifier.ts';

/** Answers of platforms show a change up to about two minutes after its notification, so one poll at once can be too early. */
const AFTER_MS = [15_000, 60_000, 120_000] as const;
/** How often due hints are given. */
const STEP_MS = 1_000;
/** The most names that wait. Further ones have one hint only. */
const MOST_WAITING = 20_000;

export interface LaterHintsOptions {
  readonly hint: (change: Change) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A change whose poll may have been too early. */
interface Waiting {
  readonly change: Change;
  readonly beganMs: number;
  readonly given: number;
}

/** Gives a hint at once, and again while its change may not be visible yet. A newer change of the same names replaces it. */
export function createLaterHints({ hint, clock, signal }: LaterHintsOptions): (change: Change) => void {
  const waiting = new Map<string, Waiting>();
  let isRunning = false;

  async function run(): Promise<void> {
    while (waiting.size > 0) {
      await clock.sleep(STEP_MS, signal);
      giveDue(clock.nowMs());
    }
  }

  function giveDue(nowMs: number): void {
    for (const [key, one] of waiting) {
      if (one.beganMs + (AFTER_MS[one.given] ?? 0) > nowMs) continue;
      hint(one.change);
      if (one.given + 1 < AFTER_MS.length) waiting.set(key, { ...one, given: one.given + 1 });
      else waiting.delete(key);
    }
  }

  return (change) => {
    hint(change);
    if (waiting.size >= MOST_WAITING) return;
    waiting.set(`${change.operation} ${change.names?.join(' ') ?? ''}`, { change, beganMs: clock.nowMs(), given: 0 });
    if (isRunning) return;
    isRunning = true;
    run()
      .catch(() => waiting.clear())
      .finally(() => (isRunning = false));
  };
}
