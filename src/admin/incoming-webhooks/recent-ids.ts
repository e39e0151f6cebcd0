import type { Clock } from '#src/clock.ts';

/** Platforms repeat a request within some minutes. */
const KEPT_MS = 15 * 60_000;
/** The most ids, so that a burst needs little memory. */
const MOST = 10_000;

/** Returns whether an id was seen in the last minutes, and remembers it. */
export function createRecentIds(clock: Pick<Clock, 'nowMs'>): (id: string) => boolean {
  /** When each id was first seen, oldest first. */
  const seen = new Map<string, number>();
  return (id) => {
    const nowMs = clock.nowMs();
    for (const [oldest, atMs] of seen) {
      if (seen.size < MOST && nowMs - atMs < KEPT_MS && nowMs >= atMs) break;
      seen.delete(oldest);
    }
    if (seen.has(id)) return true;
    seen.set(id, nowMs);
    return false;
  };
}
