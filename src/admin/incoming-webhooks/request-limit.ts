import type { Clock } from '#src/clock.ts';

/** More requests with the right secret are a mistake of the sender. */
const MOST_REQUESTS = 120;
const PER_MS = 60_000;

/** Limits the proven requests of each webhook in this process. */
export interface RequestLimit {
  /** Counts a request. Returns how long to wait, in milliseconds, if there were too many. */
  take(name: string): number | undefined;
}

/** Creates a limit of 120 requests in a minute. */
export function createRequestLimit(clock: Pick<Clock, 'nowMs'>): RequestLimit {
  /** The times of the last requests, by webhook. Only webhooks of rules are in it. */
  const times = new Map<string, number[]>();
  return {
    take(name) {
      const nowMs = clock.nowMs();
      const recent = (times.get(name) ?? []).filter((atMs) => atMs > nowMs - PER_MS && atMs <= nowMs);
      const [first] = recent;
      if (first !== undefined && recent.length >= MOST_REQUESTS) {
        times.set(name, recent);
        return first + PER_MS - nowMs;
      }
      recent.push(nowMs);
      times.set(name, recent);
      return undefined;
    },
  };
}
