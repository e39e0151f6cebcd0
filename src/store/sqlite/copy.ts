import { renameSync, rmSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { cannotOpen } from './cannot-open.ts';
import { openForOwner, requireSound } from './open.ts';

const ALL_PAGES = 2 ** 31 - 1;

export interface CopyOptions {
  readonly from: string;
  readonly to: string;
}

/**
 * Copies a database in use, including its write-ahead log. `to` is a complete copy of one instant that only its owner can read.
 *
 * It replaces an existing file only when the copy is complete.
 */
export async function copyDatabase({ from, to }: CopyOptions): Promise<void> {
  const partial = `${to}.partial`;
  rmSync(partial, { force: true });
  try {
    using source = new DatabaseSync(from, { readOnly: true });
    requireSound(source, from);
    openForOwner(partial, {}).close();
    // One step, because a commit of another process between two steps restarts the copy.
    await backup(source, partial, { rate: ALL_PAGES });
    using copy = new DatabaseSync(partial);
    requireSound(copy, partial);
    // The copy needs no write-ahead log.
    copy.exec('pragma journal_mode = delete');
  } catch (error) {
    rmSync(partial, { force: true });
    throw cannotOpen(from, error);
  }
  renameSync(partial, to);
}
