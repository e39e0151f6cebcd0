import { existsSync, renameSync } from 'node:fs';
import { systemClock } from '#src/clock.ts';
import { ConfigError } from '#src/errors.ts';
import { createProcessLock } from '#src/store/sqlite/process-lock.ts';

/** Takes the lock of the sender of `state`; throws if Fanfare runs. */
export async function claimNow(state: string): Promise<Disposable> {
  const holder = createProcessLock({ file: state, name: 'sender', clock: systemClock });
  const running = new AbortController();
  try {
    return await holder.claim({ signal: running.signal, onWait: () => running.abort() });
  } catch (error) {
    if (!running.signal.aborted) throw error;
    throw new ConfigError('Fanfare is running and uses this state', { file: state, hint: 'stop Fanfare first' });
  }
}

/** Renames a state and its write-ahead log. `why` is a part of the name. Returns the path; undefined if there is no state. */
export function moveAside(state: string, why: string): string | undefined {
  const before = `${state}.${why}-${new Date().toISOString().replaceAll(/[:.]/gu, '-')}`;
  const parts = ['', '-wal', '-shm'].filter((part) => existsSync(state + part));
  for (const part of parts) renameSync(state + part, before + part);
  return parts.length > 0 ? before : undefined;
}
