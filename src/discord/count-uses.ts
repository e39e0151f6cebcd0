import type { Clock } from '#src/clock.ts';

interface CountUsesOptions {
  /** The number of uses in `perMs`. */
  readonly most: number;
  /** By default a minute. */
  readonly perMs?: number | undefined;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** Counts a use. Returns the time of the next possible use, in milliseconds, if there were too many. */
type CountUse = (key: string) => number | undefined;

/** Counts the uses of each key in this process, for example of each member. */
export function countUses({ most, perMs = 60_000, clock }: CountUsesOptions): CountUse {
  /** The times of the uses by key, in the order of their last use. */
  const uses = new Map<string, readonly number[]>();
  return (key) => {
    const nowMs = clock.nowMs();
    const isRecent = (atMs: number): boolean => atMs > nowMs - perMs && atMs <= nowMs;
    for (const [other, times] of uses) {
      if (times.some(isRecent)) break;
      uses.delete(other);
    }
    const recent = uses.get(key)?.filter(isRecent) ?? [];
    const [first] = recent;
    if (first !== undefined && recent.length >= most) return first + perMs;
    uses.delete(key);
    uses.set(key, [...recent, nowMs]);
    return undefined;
  };
}
