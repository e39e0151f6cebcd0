import type { Clock } from '#src/clock.ts';

/** Whether `work` resolves or rejects within `ms`. */
export async function settlesWithin(work: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> {
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
