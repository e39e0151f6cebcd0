import type { Clock } from '#src/clock.ts';

/** The most ids by default, so that a burst needs little memory. */
const MOST = 10_000;

/** Returns whether an id was seen within the last `forMs` milliseconds, and remembers it. */
export function createRecentIds({
  forMs,
  most = MOST,
  clock,
}: {
  readonly forMs: number;
  readonly most?: number;
  readonly clock: Pick<Clock, 'nowMs'>;
}): (id: string) => boolean {
  /** When each id was first seen, oldest first. */
  const seen = new Map<string, number>();
  return (id) => {
    const nowMs = clock.nowMs();
    for (const [oldest, atMs] of seen) {
      // If the clock was set back, nothing is known of the time.
      if (seen.size < most && nowMs - atMs < forMs && nowMs >= atMs) break;
      seen.delete(oldest);
    }
    if (seen.has(id)) return true;
    seen.set(id, nowMs);
    return false;
  };
}
