import type { Clock } from '#src/clock.ts';

const PER_MS = 60_000;

interface CountUsesOptions {
  /** The number of uses per minute. */
  readonly most: number;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** Counts a use. Returns the time of the next possible use, in milliseconds, if there were too many. */
type CountUse = (key: string) => number | undefined;

/** Counts the uses of each key in this process, for example of each member. */
export function countUses({ most, clock }: CountUsesOptions): CountUse {
  /** The times of the uses by key, in the order of their last use. */
  const uses = new Map<string, readonly number[]>();
  return (key) => {
    const nowMs = clock.nowMs();
    const isRecent = (atMs: number): boolean => atMs > nowMs - PER_MS && atMs <= nowMs;
    for (const [other, times] of uses) {
      if (times.some(isRecent)) break;
      uses.delete(other);
    }
    const recent = uses.get(key)?.filter(isRecent) ?? [];
    const [first] = recent;
    if (first !== undefined && recent.length >= most) return first + PER_MS;
    uses.delete(key);
    uses.set(key, [...recent, nowMs]);
    return undefined;
  };
}
