import type { Clock } from '#src/clock.ts';

const DAY_MS = 24 * 3600 * 1000;
/** Users choose the names, so their number has a limit. */
const MOST_NAMES = 10_000;

/** Asks `lookUp` for what belongs to a name, and keeps the answer for a day, if not ten thousand others come; `keyOf` says which names are the same. */
export function cachedByName<T>(
  clock: Clock,
  lookUp: (name: string, signal: AbortSignal | undefined) => Promise<T>,
  keyOf: (name: string) => string = (name) => name.toLowerCase(),
): (name: string, signal: AbortSignal | undefined) => Promise<T> {
  const known = new Map<string, { readonly found: T; readonly untilMs: number }>();

  return async (name, signal) => {
    const key = keyOf(name);
    const cached = known.get(key);
    if (cached && clock.nowMs() < cached.untilMs) return cached.found;
    const found = await lookUp(name, signal);
    known.delete(key);
    const [oldest] = known.keys();
    if (oldest !== undefined && known.size >= MOST_NAMES) known.delete(oldest);
    known.set(key, { found, untilMs: clock.nowMs() + DAY_MS });
    return found;
  };
}
