import type { DatabaseSync } from 'node:sqlite';

/** Less than that is not worth a write: 4 MB, in pages. */
const WORTH_PAGES = 1_024;
/** How many pages are given back at once, so that nobody waits for it: 16 MB. */
const CHUNK_PAGES = 4_096;
/** What the log of changes keeps of its size after it was large. */
const LOG_BYTES = 4 * 1_024 * 1_024;

/** Lets the file of a database shrink; one that was made without this is written anew, once. */
export function letShrink(database: DatabaseSync): void {
  database.exec(`pragma journal_size_limit = ${LOG_BYTES}`);
  if (numberOf(database, 'auto_vacuum') === 2) return;
  database.exec('pragma auto_vacuum = incremental');
  // An empty one takes it up with its first table.
  if (numberOf(database, 'page_count') <= 1) return;
  try {
    database.exec('vacuum');
  } catch {
    // The disk has no room for a second copy, or another process writes: the next start tries again.
  }
}

/** Gives pages back to the disk, some at a time, where more than a fourth of the file is empty. */
export function shrinkFile(database: DatabaseSync): void {
  const free = numberOf(database, 'freelist_count');
  if (free < WORTH_PAGES || free * 4 < numberOf(database, 'page_count')) return;
  // Not as a statement: Node would take one step of it, which is one page.
  database.exec(`pragma incremental_vacuum(${CHUNK_PAGES})`);
}

function numberOf(database: DatabaseSync, pragma: string): number {
  return Number(database.prepare(`pragma ${pragma}`).get()?.[pragma]);
}
