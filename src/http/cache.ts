import type { Clock } from '#src/clock.ts';
import { coalesce } from './coalesce.ts';

const DAY_MS = 24 * 3600 * 1000;
/** Users choose the names, so their number has a limit. */
const MOST_NAMES = 10_000;

/** Finds a value by name. */
export interface CachedByName<T> {
  (name: string, signal: AbortSignal | undefined): Promise<T>;
  /** The cached value of a name. */
  known(name: string): T | undefined;
  /** Caches a value that was found in another way. */
  learn(name: string, found: T): void;
}

/**
 * Looks up a value by name with `lookUp`. The result is kept for a day, unless ten thousand other names follow; concurrent look-ups of a
 * name are one.
 *
 * `keyOf` returns the same text for spellings of the same name.
 */
export function cachedByName<T>(
  clock: Clock,
  lookUp: (name: string, signal: AbortSignal | undefined) => Promise<T>,
  keyOf: (name: string) => string = (name) => name.toLowerCase(),
): CachedByName<T> {
  const kept = new Map<string, { readonly found: T; readonly untilMs: number }>();
  const underWay = new Map<string, (signal: AbortSignal | undefined) => Promise<T>>();

  function known(name: string): T | undefined {
    const cached = kept.get(keyOf(name));
    return cached && clock.nowMs() < cached.untilMs ? cached.found : undefined;
  }

  function learn(name: string, found: T): void {
    const key = keyOf(name);
    kept.delete(key);
    const [oldest] = kept.keys();
    if (oldest !== undefined && kept.size >= MOST_NAMES) kept.delete(oldest);
    kept.set(key, { found, untilMs: clock.nowMs() + DAY_MS });
  }

  async function find(name: string, signal: AbortSignal | undefined): Promise<T> {
    const cached = known(name);
    if (cached !== undefined) return cached;
    const key = keyOf(name);
    const run = underWay.get(key) ?? coalesce((runs) => lookUp(name, runs));
    underWay.set(key, run);
    try {
      const found = await run(signal);
      learn(name, found);
      return found;
    } finally {
      if (underWay.get(key) === run) underWay.delete(key);
    }
  }

  return Object.assign(find, { known, learn });
}
