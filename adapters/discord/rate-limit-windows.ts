import type { RateLimitData } from 'discord.js';
import { Postponed } from '#src/errors.ts';

/** The window in which the last postponed message is to be sent. */
interface LastWindow {
  readonly startsMs: number;
  readonly lengthMs: number;
  /** The messages that were postponed to it. */
  readonly count: number;
}

/** A window begins with a request, which is later than the end of the last one. Starts that differ by less are the same. */
const DELAY_MS = 250;

/** Postpones writes while the window of their rate limit is full. */
export interface Windows {
  /** The postponement of a write that discord.js would delay. */
  postpone(limit: RateLimitData): Postponed;
}

/** New messages are distributed over the next windows, so that each is postponed once and they keep their order. */
export function windowsOf(clock: { nowMs(): number }): Windows {
  /** By rate limit, and by its channel, server or webhook. */
  const lasts = new Map<string, LastWindow>();

  function next({ hash, majorParameter, limit }: RateLimitData, startsMs: number): LastWindow {
    const about = `${hash} ${majorParameter}`;
    const last = lasts.get(about);
    const lengthMs = Math.max(last?.lengthMs ?? 0, startsMs - clock.nowMs() + DELAY_MS);
    const isFull = last !== undefined && last.count >= limit;
    const window =
      !last || last.startsMs + DELAY_MS < startsMs
        ? { startsMs, lengthMs, count: 1 }
        : { startsMs: last.startsMs + (isFull ? lengthMs : 0), lengthMs, count: isFull ? 1 : last.count + 1 };
    lasts.set(about, window);
    return window;
  }

  return {
    postpone(limit) {
      const nowMs = clock.nowMs();
      for (const [about, { startsMs }] of lasts) if (startsMs <= nowMs) lasts.delete(about);
      const startsMs = nowMs + limit.timeToReset;
      const untilMs = limit.method === 'POST' ? next(limit, startsMs).startsMs : startsMs;
      return new Postponed('Discord limits the messages in a channel', { until: new Date(untilMs) });
    },
  };
}
