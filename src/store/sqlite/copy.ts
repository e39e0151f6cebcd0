import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readdirSync, readSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { codeOf, ConfigError } from '#src/errors.ts';
import { isSystemError } from '#src/rules/document/read-text-file.ts';
import { cannotOpen, cannotWrite, type Role } from './cannot-open.ts';
import { openForOwner, requireSound } from './open.ts';
import { isBusy } from './process-lock.ts';

const ALL_PAGES = 2 ** 31 - 1;

export interface CopyOptions {
  readonly from: string;
  readonly to: string;
  /** What `from` is; by default the state. */
  readonly role?: Role | undefined;
}

/**
 * Copies a database in use, including its write-ahead log. `to` is a complete copy of one instant that only its owner can read.
 *
 * It replaces an existing file only when the copy is complete.
 */
export async function copyDatabase({ from, to, role }: CopyOptions): Promise<void> {
  removeLeftovers(to);
  // Copies to the same file, for example of a timer and of a person, must not write into one another.
  const partial = `${to}.${process.pid}-${BEGUN_MS}-${randomUUID()}.partial`;
  try {
    using source = new DatabaseSync(from, { readOnly: true });
    requireSound(source, from, role);
    await write(source, partial).catch((error: unknown) => Promise.reject(cannotWrite(to, error) ?? error));
    renameSync(partial, to);
  } catch (error) {
    discardDatabase(partial);
    throw cannotWriteFile(to, error) ?? cannotOpen(from, error, role);
  }
}

async function write(source: DatabaseSync, file: string): Promise<void> {
  openForOwner(file, {}).close();
  // One step, because a commit of another process between two steps restarts the copy.
  await backup(source, file, { rate: ALL_PAGES });
  complete(file);
}

/** When this process began. The processes of two containers can have the same number. */
const BEGUN_MS = Math.round(performance.timeOrigin);

/** What follows the name of a copy: the process that writes it. Fanfare 0.1 did not write it. */
const WRITER = /^(?:\.(?<pid>\d+)-(?<begunMs>\d+)-[0-9a-f-]{36})?\.partial$/u;

/** Deletes the unfinished copies of processes that were killed. */
function removeLeftovers(to: string): void {
  const [folder, name] = [dirname(to), basename(to)];
  for (const found of namesIn(folder)) {
    const writer = found.startsWith(name) ? WRITER.exec(found.slice(name.length))?.groups : undefined;
    const file = join(folder, found);
    if (!writer || (writer['pid'] !== undefined && isRunning(Number(writer['pid']), Number(writer['begunMs']))) || isLocked(file)) continue;
    discardDatabase(file);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The copy reports why.
    return [];
  }
}

function isRunning(pid: number, begunMs: number): boolean {
  if (pid === process.pid) return begunMs === BEGUN_MS;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

/** Whether a process writes a copy. In another container, its number means another process here. */
function isLocked(file: string): boolean {
  try {
    using left = new DatabaseSync(file, { timeout: 0 });
    left.exec('begin exclusive');
    return false;
  } catch (error) {
    return isBusy(error);
  }
}

/** Deletes a database with the files that SQLite puts beside it. */
export function removeDatabase(file: string): void {
  for (const part of ['', '-journal', '-wal', '-shm']) rmSync(file + part, { force: true });
}

/** Deletes a copy that is of no use. A copy of another user, or one that a program on Windows has open, stays, and hinders nothing. */
export function discardDatabase(file: string): void {
  try {
    removeDatabase(file);
  } catch {
    // The error that made the copy useless matters to the person.
  }
}

const MAGIC = 'SQLite format 3\0';
/** The bytes of the header that name the journal: 1 for a rollback journal, 2 for a write-ahead log. */
const JOURNAL_AT = [18, 19] as const;

/** Whether a file is a copy that `copyDatabase` wrote. A state has a write-ahead log, and a copy does not. */
export function isBackup(file: string): boolean {
  try {
    const header = headerOf(file);
    if (header.toString('latin1', 0, MAGIC.length) !== MAGIC || JOURNAL_AT.some((at) => header[at] !== 1)) return false;
    using database = new DatabaseSync(file, { readOnly: true });
    return database.prepare("select 1 from sqlite_schema where name = 'rule_state'").get() !== undefined;
  } catch {
    return false;
  }
}

function headerOf(file: string): Buffer {
  const header = Buffer.alloc(100);
  const open = openSync(file, 'r');
  try {
    readSync(open, header);
    return header;
  } finally {
    closeSync(open);
  }
}

/** Checks a copy, and removes its write-ahead log. */
function complete(file: string): void {
  using copy = new DatabaseSync(file);
  requireSound(copy, file);
  copy.exec('pragma journal_mode = delete');
}

/** The error for a target that the system refuses; undefined for other errors. */
function cannotWriteFile(file: string, error: unknown): ConfigError | undefined {
  if (!isSystemError(error)) return undefined;
  return new ConfigError(`the file cannot be written (${error.code})`, {
    file,
    hint: 'choose a file in a folder that you can write to',
  });
}
