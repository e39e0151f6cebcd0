import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '#src/clock.ts';
import type { Deliveries } from '#src/outbox/deliveries.ts';
import { MEMORY, openForOwner } from './open.ts';

const LOOK_AGAIN_MS = 250;

/** Lets one at a time do something, of all processes on the machine. */
export interface SoleHolder {
  claim: Deliveries['claim'];
  close(): void;
}

export interface SoleHolderOptions {
  /** The database that it is about. */
  readonly file: string;
  /** What one at a time may do, as `sender`. */
  readonly as: string;
  readonly clock: Clock;
}

/**
 * The right to do something with what is kept in `file`.
 *
 * It is a lock on a file of its own: the system takes it back from a process that was killed, at once.
 */
export function createSoleHolder({ file, as, clock }: SoleHolderOptions): SoleHolder {
  let held: DatabaseSync | undefined;

  function tryClaim(): Disposable | undefined {
    if (held) return undefined;
    const lock = openForOwner(file === MEMORY ? MEMORY : `${file}-${as}`, { timeout: 0 });
    try {
      lock.exec('begin exclusive');
    } catch (error) {
      lock.close();
      if (isBusy(error)) return undefined;
      throw error;
    }
    held = lock;
    return { [Symbol.dispose]: () => release(lock) };
  }

  function release(lock: DatabaseSync): void {
    if (held !== lock) return;
    held = undefined;
    lock.close();
  }

  return {
    async claim({ signal, onWait }) {
      signal.throwIfAborted();
      let claim = tryClaim();
      if (!claim) onWait?.();
      for (; !claim; claim = tryClaim()) await clock.sleep(LOOK_AGAIN_MS, signal);
      return claim;
    },
    close: () => held && release(held),
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5; // SQLITE_BUSY
}
