import { setImmediate as breath } from 'node:timers/promises';

const AT_ONCE = 16;
/** For how long work that never waits for anything may keep everybody else waiting. */
const BREATHLESS_MS = 10;

/** Lets a few pieces of work go on at a time, and lets others get a word in between. */
export function createTurnstile(): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let inside = 0;
  let breathedMs = performance.now();

  async function enter(): Promise<void> {
    if (inside >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    else inside++;
    if (performance.now() - breathedMs < BREATHLESS_MS) return;
    await breath();
    breathedMs = performance.now();
  }

  /** Hands the place on, or gives it back. */
  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else inside--;
  }

  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
