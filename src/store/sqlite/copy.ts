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
 * Copies a database while other processes use it, its log of changes included: `to` is a whole copy of one instant, for its owner alone.
 *
 * A file that is there is replaced when the copy is complete, and not before.
 */
export async function copyDatabase({ from, to }: CopyOptions): Promise<void> {
  const partial = `${to}.partial`;
  rmSync(partial, { force: true });
  try {
    using source = new DatabaseSync(from, { readOnly: true });
    requireSound(source, from);
    openForOwner(partial, {}).close();
    // All pages in one step: between two steps a commit of another process would begin the copy anew.
    await backup(source, partial, { rate: ALL_PAGES });
    using copy = new DatabaseSync(partial);
    requireSound(copy, partial);
    // In one file, without a log beside it.
    copy.exec('pragma journal_mode = delete');
  } catch (error) {
    rmSync(partial, { force: true });
    throw cannotOpen(from, error);
  }
  renameSync(partial, to);
}
