import { setTimeout as sleep } from 'node:timers/promises';

const TICK_MS = 100;

/** Milliseconds in which this process runs. A pause of the process counts as one tick. */
export function measureRunningTime(): Disposable & { readonly ms: number } {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), TICK_MS);
  return {
    get ms() {
      return ticks * TICK_MS;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** Whether a condition becomes true before this process has run for so long. Pauses of the machine do not count. */
export async function isTrueWithin(ms: number, isTrue: () => boolean): Promise<boolean> {
  for (let tick = 0; tick < ms / TICK_MS && !isTrue(); tick++) await sleep(TICK_MS);
  return isTrue();
}
