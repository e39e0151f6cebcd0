import type { Clock } from '#src/clock.ts';

/** Whether `work` is over, well or not, within `ms`. */
export async function within(work: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> {
  const waking = new AbortController();
  const over = work.then(
    () => true,
    () => true,
  );
  const late = clock.sleep(ms, waking.signal).then(
    () => false,
    () => true,
  );
  try {
    return await Promise.race([over, late]);
  } finally {
    waking.abort();
  }
}
