import { settlesWithin, type Clock } from '#src/clock.ts';

/** A platform may be slow, and the bot answers commands without it. */
const LONGEST_WAIT_MS = 3_000;

/** The polls of the first tick. discord.js is the largest dependency, so it loads after them. */
export interface FirstPolls {
  /** Call it after the first tick. */
  readonly ended: () => void;
  /** Resolves after the first tick, after some seconds, or when `signal` aborts. */
  readonly wait: () => Promise<unknown>;
}

export function createFirstPolls({ clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal }): FirstPolls {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  return { ended: resolve, wait: () => settlesWithin(promise, LONGEST_WAIT_MS, clock) };
}
