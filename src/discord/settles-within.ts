import type { Clock } from '#src/clock.ts';

/** How long a first response may wait for its content: Discord gives up after three seconds. */
export const SOON_MS = 1_500;

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
