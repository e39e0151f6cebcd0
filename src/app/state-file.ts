import { existsSync, renameSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '#src/clock.ts';
import { folderRemedy } from '#src/config/data-directory.ts';
import { codeOf, ConfigError } from '#src/errors.ts';
import { newestVersion } from '#src/store/schema/versions.ts';
import { removeDatabase } from '#src/store/sqlite/copy.ts';
import { forgetGeneration } from '#src/store/sqlite/generation.ts';
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

type Rename = (from: string, to: string) => void;

/**
 * Renames a state that PostgreSQL has taken over, and its write-ahead log. Returns the path. Throws a {@link ConfigError} if a part cannot be
 * renamed, for example because a program on Windows has it open; the other parts then get their names back.
 */
export function retireState(state: string, database: string, rename: Rename = renameSync): string {
  const moved = nameAside(state, 'moved');
  try {
    moveState(state, moved, rename);
    return moved;
  } catch (error) {
    throw cannotRename(error, {
      message: `the state was moved to ${database}, but its file cannot be renamed`,
      file: state,
      // A start without DATABASE_URL would send everything of the file a second time.
      hint: (why) =>
        `rename it to ${basename(moved)} before you start Fanfare, and its files with -wal and -shm too. If that fails, ${why}. Do not run the command again`,
    });
  }
}

/** Puts a state that comes from PostgreSQL in its place. Throws a {@link ConfigError} if the system refuses it: nothing was moved then. */
export function placeState(fresh: string, state: string, rename: Rename = renameSync): void {
  try {
    removeDatabase(state);
    // The number of an earlier state would make the next start take this state for a copy.
    forgetGeneration(state);
    rename(fresh, state);
  } catch (error) {
    throw cannotRename(error, {
      message: 'the state cannot be put in its place, and nothing was moved',
      file: state,
      hint: (why) => `${why}; then run the command again`,
    });
  }
}

/** Renames a state that may be the only live one, because PostgreSQL did not confirm that it gave its state up. */
export function keepUnconfirmed(state: string, schemaBefore: string, rename: Rename = renameSync): string {
  const kept = `${state}.unconfirmed`;
  const choice = (file: string, use: string): string =>
    `if the schema ${schemaBefore} exists in the database, ${use}; otherwise delete ${file}, and run the command again`;
  try {
    rename(state, kept);
    return choice(kept, `rename ${kept} to ${state}`);
  } catch {
    // The state has kept its name.
    return choice(state, `use ${state}`);
  }
}

/** The new name of a state. `why` is a part of it. */
function nameAside(state: string, why: string): string {
  return `${state}.${why}-${new Date().toISOString().replaceAll(/[:.]/gu, '-')}`;
}

interface RenameFailure {
  readonly message: string;
  readonly file: string;
  /** `why`: the remedy for the reason of the system. */
  readonly hint: (why: string) => string;
}

/** A `ConfigError` with the remedy if the system refused a new name; otherwise the error. */
function cannotRename(error: unknown, { message, file, hint }: RenameFailure): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  const why =
    code === 'EBUSY' || code === 'EPERM' ? 'end the program that has the file open, or make its folder writable' : folderRemedy(code);
  return new ConfigError(`${message} (${code})`, { file, hint: hint(why), cause: error });
}

/**
 * Puts a new state in place of the state. Returns the path of the previous state; undefined if there was none. Throws a {@link ConfigError} if the
 * system refuses it; the state then keeps its place.
 */
export function replaceState(state: string, fresh: string, rename: Rename = renameSync): string | undefined {
  const before = nameAside(state, 'before');
  let isMoved = false;
  try {
    isMoved = moveState(state, before, rename);
    rename(fresh, state);
  } catch (error) {
    if (isMoved) moveState(before, state, rename);
    throw cannotRename(error, {
      message: 'the state cannot be replaced, and nothing has changed',
      file: state,
      hint: (why) => `${why}; then run the command again`,
    });
  }
  return isMoved ? before : undefined;
}

/** Renames all files of a state or none. Whether there are any. */
function moveState(from: string, to: string, rename: Rename): boolean {
  const moved: string[] = [];
  try {
    for (const part of ['', '-wal', '-shm'].filter((one) => existsSync(from + one))) {
      rename(from + part, to + part);
      moved.push(part);
    }
  } catch (error) {
    for (const part of moved) rename(to + part, from + part);
    throw error;
  }
  return moved.length > 0;
}
