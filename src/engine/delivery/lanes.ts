import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { DeliveryRows } from './delivery-rows.ts';
import type { LaneLease } from './lane-lease.ts';
import { Alarm } from '#src/engine/alarm.ts';

export const MAX_PAUSE_MS = 30_000;

interface RunLanesOptions {
  /** Called if this process has to wait for another one. */
  readonly onWait: () => void;
  /** Called with an account of this process to which work was added; undefined: it may be each account. */
  readonly onWork: (account: string | undefined) => void;
  readonly signal: AbortSignal;
}

/** Distributes the accounts with open deliveries among the processes. */
export interface Lanes {
  /** Calls `work` for each account that this process gets, until `signal` aborts. Resolves when all work has ended. */
  run(work: (lease: LaneLease) => Promise<void>, options: RunLanesOptions): Promise<void>;
  /** Checks for accounts with open deliveries at once. */
  wake(): void;
  /** Whether `onWork` receives the accounts that a settled delivery frees; otherwise they can be any accounts. */
  readonly announcesFreed?: boolean;
}

/** The only process that sends keeps its right until it ends. */
const NEVER = new AbortController().signal;

export interface LocalLanesOptions {
  readonly deliveries: Pick<DeliveryRows, 'claim' | 'accounts'>;
  readonly clock: Clock;
  readonly log: Log;
  /** The longest pause between two searches for accounts. */
  readonly maxPauseMs?: number | undefined;
}

/** The lanes of the only process that sends: it gets all of them and keeps them. */
export function createLocalLanes({ deliveries, clock, log, maxPauseMs = MAX_PAUSE_MS }: LocalLanesOptions): Lanes {
  const alarm = new Alarm();
  return {
    wake: () => alarm.ring(),

    async run(work, { onWait, signal }) {
      using claim = await deliveries.claim({ signal, onWait }).catch((error: unknown) => {
        if (signal.aborted) return undefined;
        throw error;
      });
      if (!claim) return;
      const running = new Map<string, Promise<void>>();
      while (!signal.aborted) {
        try {
          for (const account of await deliveries.accounts()) {
            if (!running.has(account)) running.set(account, work({ account, signal: NEVER, assertHeld: () => undefined }));
          }
        } catch (error) {
          log.error({ error }, 'the delivery engine could not read the deliveries; it retries');
        }
        await alarm.wait(maxPauseMs, { clock, signal });
      }
      await Promise.all(running.values());
    },
  };
}
