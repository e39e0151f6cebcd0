import type { Clock } from '#src/clock.ts';

interface CountUsesOptions {
  /** The number of uses in `perMs`. */
  readonly most: number;
  /** By default a minute. */
  readonly perMs?: number | undefined;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** Counts uses, by default one. If there were too many, counts none, and returns the time at which so many are possible, in milliseconds. */
type CountUse = (key: string, count?: number) => number | undefined;

/** Counts the uses of each key in this process, for example of each member. */
export function countUses({ most, perMs = 60_000, clock }: CountUsesOptions): CountUse {
  /** The times of the uses by key, in the order of their last use. */
  const uses = new Map<string, readonly number[]>();
  return (key, count = 1) => {
    const nowMs = clock.nowMs();
    const isRecent = (atMs: number): boolean => atMs > nowMs - perMs && atMs <= nowMs;
    for (const [other, times] of uses) {
      if (times.some(isRecent)) break;
      uses.delete(other);
    }
    const recent = uses.get(key)?.filter(isRecent) ?? [];
    const tooMany = recent.length + count - most;
    if (tooMany > 0) return (recent[tooMany - 1] ?? nowMs) + perMs;
    uses.delete(key);
    uses.set(key, [...recent, ...Array.from({ length: count }, () => nowMs)]);
    return undefined;
  };
}
