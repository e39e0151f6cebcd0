import type { Charge, Notice, Pass, RateBudgets } from '#src/http/rate-budgets.ts';

/** The window of the platform. */
const WINDOW_MS = 60_000;
const WINDOWS = 4;
const STEP_MS = 1;

interface World {
  readonly seed: number;
  readonly limit: number;
  /** The most requests of a worker at once. */
  readonly inParallel: number;
  readonly mostLatencyMs: number;
  /** How many responses are lost. */
  readonly lostPercent: number;
}

interface Workers {
  readonly workers: readonly RateBudgets[];
  nowMs(): number;
  advance(ms: number): Promise<void>;
  recorded(): Promise<void>;
}

interface Event {
  readonly atMs: number;
  readonly run: () => Promise<void>;
}

const CHARGE: Charge = { budgets: ['all'], points: 1 };

/**
 * Lets workers send as much as their budgets allow to a platform with fixed windows. Requests and responses take random times, so they
 * overtake each other. Resolves with the number of requests that the platform got in each full window.
 */
export async function runPlatform(fixture: Workers, { seed, limit, inParallel, mostLatencyMs, lostPercent }: World): Promise<number[]> {
  const random = numbers(seed);
  const startMs = fixture.nowMs();
  const endMs = startMs + WINDOWS * WINDOW_MS;
  const counts = new Map<number, number>();
  const events: Event[] = [];
  const latencyMs = (): number => STEP_MS + Math.floor(random() * mostLatencyMs);
  const later = (ms: number, run: Event['run']): void =>
    void events.push({ atMs: fixture.nowMs() + Math.max(STEP_MS, Math.ceil(ms)), run });

  function arrive(): Notice {
    const window = Math.floor((fixture.nowMs() - startMs) / WINDOW_MS);
    const count = (counts.get(window) ?? 0) + 1;
    counts.set(window, count);
    const resetAtMs = startMs + (window + 1) * WINDOW_MS;
    return { rates: [{ family: 'ratelimit', limit, remaining: Math.max(0, limit - count), resetAtMs }] };
  }

  async function send(budgets: RateBudgets, pass: Pass, next: Event['run']): Promise<void> {
    later(latencyMs(), async () => {
      const notice = arrive();
      const isLost = random() * 100 < lostPercent;
      later(latencyMs(), async () => {
        budgets.settle(pass, isLost ? {} : notice);
        await fixture.recorded();
        await next();
      });
    });
  }

  function sender(budgets: RateBudgets): Event['run'] {
    return async function attempt() {
      const taken = await budgets.take(CHARGE);
      if ('waitMs' in taken) later(taken.waitMs, attempt);
      else await send(budgets, taken, attempt);
    };
  }

  // The first response describes the window before the others start.
  const [first, ...others] = fixture.workers.flatMap((budgets) => Array.from({ length: inParallel }, () => sender(budgets)));
  await first?.();
  for (const attempt of others) later(2 * mostLatencyMs + random() * mostLatencyMs + 2, attempt);

  while (events.length > 0) {
    events.sort((one, other) => one.atMs - other.atMs);
    const [next] = events.splice(0, 1);
    if (!next || next.atMs >= endMs) break;
    await fixture.advance(next.atMs - fixture.nowMs());
    await next.run();
  }
  return Array.from({ length: WINDOWS }, (_, window) => counts.get(window) ?? 0);
}

/** Random numbers from 0 up to 1 (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
