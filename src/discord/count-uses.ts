import type { Clock } from '#src/clock.ts';

interface CountUsesOptions {
  /** The number of uses in `perMs`. */
  readonly most: number;
  /** By default a minute. */
  readonly perMs?: number | undefined;
  readonly clock: Pick<Clock, 'nowMs'>;
}

export interface CountUse {
  /** Counts uses, by default one. If there were too many, counts none, and returns the time at which so many are possible, in milliseconds. */
  (key: string, count?: number): number | undefined;
  /** The time at which so many uses are possible; undefined: now. Counts none. */
  freeAtMs(key: string, count?: number): number | undefined;
}

/** Counts the uses of each key in this process, for example of each member. */
export function countUses({ most, perMs = 60_000, clock }: CountUsesOptions): CountUse {
  /** The times of the uses by key, in the order of their last use. */
  const uses = new Map<string, readonly number[]>();

  function recentOf(key: string, nowMs: number): readonly number[] {
    return uses.get(key)?.filter((atMs) => atMs > nowMs - perMs && atMs <= nowMs) ?? [];
  }

  function freeAtMs(key: string, count = 1): number | undefined {
    const nowMs = clock.nowMs();
    const recent = recentOf(key, nowMs);
    const tooMany = recent.length + count - most;
    return tooMany > 0 ? (recent[tooMany - 1] ?? nowMs) + perMs : undefined;
  }

  function countUse(key: string, count = 1): number | undefined {
    const nowMs = clock.nowMs();
    for (const other of uses.keys()) {
      if (recentOf(other, nowMs).length > 0) break;
      uses.delete(other);
    }
    const freeMs = freeAtMs(key, count);
    if (freeMs !== undefined) return freeMs;
    const recent = recentOf(key, nowMs);
    uses.delete(key);
    uses.set(key, [...recent, ...Array.from({ length: count }, () => nowMs)]);
    return undefined;
  }

  return Object.assign(countUse, { freeAtMs });
}
