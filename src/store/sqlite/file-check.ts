import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { damaged } from './cannot-open.ts';

/** The whole file of this size is read within 20 ms. */
const SMALL_BYTES = 16 * 1024 ** 2;

/**
 * When a running process looks for damage in the whole file: before it uses the file, in the background, or never. Damage has its cause in
 * an unclean end, or was there before; without a check, SQLite reports it in the pages that a statement reads.
 */
export type FileCheck = 'first' | 'background' | 'none';

/** A large file that the last process did not close. */
export interface UnclosedFile {
  readonly file: string;
  /** Notes that the file is damaged, so that the next start checks it before it uses it. Returns the error for the operator. */
  readonly noteDamage: () => Error | undefined;
}

/** When to look for damage in `file`. Call it before the file is opened. */
export function fileCheckOf(file: string): FileCheck {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes <= SMALL_BYTES || existsSync(markOf(file))) return 'first';
  // SQLite deletes its log when the last connection closes.
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0 ? 'background' : 'none';
}

/** Notes that `file` is damaged, so that the next start checks it before it uses it. Returns the error for the operator. */
export function noteDamage(file: string): Error | undefined {
  writeFileSync(markOf(file), '', { mode: 0o600 });
  return damaged(file);
}

/** Notes that the file was checked and is sound. */
export function clearDamage(file: string): void {
  rmSync(markOf(file), { force: true });
}

/** A file that exists if damage was found. */
function markOf(file: string): string {
  return `${file}-damaged`;
}
