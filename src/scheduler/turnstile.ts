import { setImmediate as breath } from 'node:timers/promises';
import { createPlaces, type TakePlace } from '#src/operation/places.ts';

const AT_ONCE = 16;
/** For how long work that never waits for anything may keep everybody else waiting. */
const BREATHLESS_MS = 10;

/** Lets a few pieces of work go on at a time, and lets others get a word in between. */
export function createTurnstile(): TakePlace {
  const take = createPlaces(AT_ONCE);
  let breathedMs = performance.now();
  return async () => {
    const leave = await take();
    if (performance.now() - breathedMs < BREATHLESS_MS) return leave;
    await breath();
    breathedMs = performance.now();
    return leave;
  };
}
