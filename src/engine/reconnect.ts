import type { Clock } from '#src/clock.ts';
import type { WatchedNames } from '#src/clients/operation/notifier.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 2 * 60_000;
/** A connection that lasted for this time was a good one. */
const STABLE_MS = 60_000;

export interface ReconnectOptions {
  readonly names: WatchedNames;
  /** Whether an earlier connection may have left subscriptions. Then one attempt without names removes them; absent: it left none. */
  readonly hasRemains?: () => Promise<boolean>;
  /** Whether a connection is possible; absent: it is. */
  readonly mayConnect?: () => Promise<boolean>;
  /** Connects until the connection is lost. Calls `onConnected` when it works. */
  readonly attempt: (onConnected: () => void) => Promise<void>;
  /** Called after each attempt. */
  readonly ended?: () => void;
  /** Called after an attempt that ended because no rule watches a name. */
  readonly idle?: () => Promise<void>;
  /** Called after each failure with the number of failures in a row. Resolves with the pause; undefined: a growing one. */
  readonly failed: (error: unknown, failures: number) => Promise<number | undefined>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Connects again and again while rules watch names, until `signal` aborts. */
export async function reconnect({
  names,
  hasRemains,
  mayConnect,
  attempt,
  ended,
  idle,
  failed,
  clock,
  signal,
}: ReconnectOptions): Promise<void> {
  let failures = 0;
  let connectedMs: number | undefined;
  /** Whether the platform has no subscriptions of unwatched names. */
  let isCleaned = false;
  while (!signal.aborted) {
    try {
      const isWatched = (await names.current()).size > 0;
      if (isWatched) isCleaned = false;
      else isCleaned ||= (await hasRemains?.()) !== true;
      if (isCleaned || (await mayConnect?.()) === false) {
        await names.changed(signal);
        continue;
      }
      const beganMs = clock.nowMs();
      await attempt(() => void (connectedMs ??= clock.nowMs()));
      ended?.();
      await idle?.();
      isCleaned = true;
      // An attempt that has nothing to do for the watched names must not repeat at once.
      if (clock.nowMs() - beganMs < FIRST_PAUSE_MS) await clock.sleep(FIRST_PAUSE_MS, signal);
    } catch (error) {
      ended?.();
      if (signal.aborted) return;
      // A platform that accepts connections and ends them at once must not get one each second.
      failures = connectedMs !== undefined && clock.nowMs() - connectedMs >= STABLE_MS ? 1 : failures + 1;
      connectedMs = undefined;
      const usualMs = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS) * (1 + Math.random());
      await clock.sleep((await failed(error, failures)) ?? usualMs, signal).catch(() => undefined);
    }
  }
}
