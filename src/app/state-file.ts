import { existsSync, renameSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '#src/clock.ts';
import { ConfigError } from '#src/errors.ts';
import { newestVersion } from '#src/store/schema/versions.ts';
import { versionOf } from '#src/store/sqlite/migrate.ts';
import { createProcessLock } from '#src/store/sqlite/process-lock.ts';
import { SCHEMA } from '#src/store/sqlite/schema.ts';

/** Takes the lock of the sender of `state`; throws if Fanfare runs. */
export async function claimNow(state: string): Promise<Disposable> {
  const claim = await tryClaim(state);
  if (claim) return claim;
  throw new ConfigError('Fanfare is running and uses this state', { file: state, hint: 'stop Fanfare first' });
}

/**
 * Takes the lock of the sender if `state` has an older format; throws if Fanfare runs, because its version could not start again with the
 * migrated state. Undefined: no migration is needed.
 */
export async function claimToMigrate(state: string): Promise<Disposable | undefined> {
  if (!isOlder(state)) return undefined;
  const claim = await tryClaim(state);
  if (claim) return claim;
  throw new ConfigError('Fanfare is running with an older format of the state', {
    file: state,
    hint: 'restart Fanfare with this version, or run the command with the version that runs',
  });
}

/** Whether Fanfare runs with an older format of `state`. */
export async function isRunningOlder(state: string): Promise<boolean> {
  if (!isOlder(state)) return false;
  using claim = await tryClaim(state);
  return claim === undefined;
}

async function tryClaim(state: string): Promise<Disposable | undefined> {
  const holder = createProcessLock({ file: state, name: 'sender', clock: systemClock });
  const running = new AbortController();
  try {
    return await holder.claim({ signal: running.signal, onWait: () => running.abort() });
  } catch (error) {
    if (!running.signal.aborted) throw error;
    return undefined;
  }
}

/** How long a read waits for a process that opens or closes the state. */
const BUSY_MS = 5_000;

function isOlder(state: string): boolean {
  if (!existsSync(state)) return false;
  try {
    using database = new DatabaseSync(state, { readOnly: true, timeout: BUSY_MS });
    const version = versionOf(database);
    return version > 0 && version < newestVersion(SCHEMA);
  } catch {
    // Opening the state reports why.
    return false;
  }
}

/** Renames a state and its write-ahead log. `why` is a part of the name. Returns the path; undefined if there is no state. */
export function moveAside(state: string, why: string): string | undefined {
  const before = `${state}.${why}-${new Date().toISOString().replaceAll(/[:.]/gu, '-')}`;
  const parts = ['', '-wal', '-shm'].filter((part) => existsSync(state + part));
  for (const part of parts) renameSync(state + part, before + part);
  return parts.length > 0 ? before : undefined;
}
