import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '#src/clock.ts';
import type { ProcessLock } from '#src/store/process-lock.ts';
import { cannotOpen } from './cannot-open.ts';
import { MEMORY, openForOwner } from './open.ts';

const RETRY_MS = 250;

export interface ProcessLockOptions {
  /** The database that the lock protects. */
  readonly file: string;
  /** The purpose of the lock, for example `sender`. */
  readonly name: string;
  readonly clock: Clock;
}

/**
 * Creates a lock for work on the state in `file`.
 *
 * The lock is a file, which the system releases at once if a process is killed.
 */
export function createProcessLock({ file, name, clock }: ProcessLockOptions): ProcessLock {
  let acquired: DatabaseSync | undefined;

  function tryClaim(): Disposable | undefined {
    if (acquired) return undefined;
    // A name may have a slash.
    const lockFile = file === MEMORY ? MEMORY : `${file}-${encodeURIComponent(name)}`;
    let lock: DatabaseSync | undefined;
    try {
      lock = openForOwner(lockFile, { timeout: 0 });
      lock.exec('begin exclusive');
    } catch (error) {
      lock?.close();
      if (isBusy(error)) return undefined;
      throw cannotOpen(lockFile, error);
    }
    const held = lock;
    acquired = held;
    return { [Symbol.dispose]: () => release(held) };
  }

  function release(lock: DatabaseSync): void {
    if (acquired !== lock) return;
    acquired = undefined;
    lock.close();
  }

  return {
    async claim({ signal, onWait }) {
      signal.throwIfAborted();
      let claim = tryClaim();
      if (!claim) onWait?.();
      for (; !claim; claim = tryClaim()) await clock.sleep(RETRY_MS, signal);
      return claim;
    },
    close: () => acquired && release(acquired),
  };
}

/** Whether another connection has locked a database. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5; // SQLITE_BUSY
}
