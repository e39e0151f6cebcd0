import { renameSync, rmSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { ConfigError } from '#src/errors.ts';
import { cannotOpen, type Role } from './cannot-open.ts';
import { openForOwner, requireSound } from './open.ts';

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
  const partial = `${to}.partial`;
  rmSync(partial, { force: true });
  try {
    using source = new DatabaseSync(from, { readOnly: true });
    requireSound(source, from, role);
    openForOwner(partial, {}).close();
    // One step, because a commit of another process between two steps restarts the copy.
    await backup(source, partial, { rate: ALL_PAGES });
    complete(partial);
    renameSync(partial, to);
  } catch (error) {
    rmSync(partial, { force: true });
    throw cannotWrite(to, error) ?? cannotOpen(from, error, role);
  }
}

/** Checks a copy, and removes its write-ahead log. */
function complete(file: string): void {
  using copy = new DatabaseSync(file);
  requireSound(copy, file);
  copy.exec('pragma journal_mode = delete');
}

/** The error for a target that the system refuses; undefined for other errors. */
function cannotWrite(file: string, error: unknown): ConfigError | undefined {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return undefined;
  return new ConfigError(`the file cannot be written (${String(error.code)})`, {
    file,
    hint: 'choose a file in a folder that you can write to',
  });
}
