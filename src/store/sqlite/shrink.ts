import type { DatabaseSync } from 'node:sqlite';
import { createBusyTimeout } from './busy-timeout.ts';

/** A smaller gain is not worth a write: 4 MB, in pages. */
const WORTH_PAGES = 1_024;
/** The pages released at once, so that no other work waits long: 16 MB. */
const CHUNK_PAGES = 4_096;
/** The largest size of the write-ahead log after a checkpoint. */
const LOG_BYTES = 4 * 1_024 * 1_024;

/** Lets the file of a database shrink. An older database is rewritten once. */
export function letShrink(database: DatabaseSync): void {
  database.exec(`pragma journal_size_limit = ${LOG_BYTES}`);
  if (numberOf(database, 'auto_vacuum') === 2) return;
  database.exec('pragma auto_vacuum = incremental');
  // An empty database applies the setting with its first table.
  if (numberOf(database, 'page_count') <= 1) return;
  try {
    database.exec('vacuum');
  } catch {
    // The disk has no room for a copy, or another process writes. The next start tries again.
  }
}

/** Releases some pages to the disk if more than a fourth of the file is unused. */
export function shrinkFile(database: DatabaseSync): void {
  const free = numberOf(database, 'freelist_count');
  if (free < WORTH_PAGES || free * 4 < numberOf(database, 'page_count')) return;
  try {
    // A prepared statement would release one page only.
    database.exec(`pragma incremental_vacuum(${CHUNK_PAGES})`);
  } catch {
    // The disk is full, or another process writes. The next round tries again.
  }
}

/** Moves the write-ahead log to the file and empties it, so that it has no more deleted rows. Does nothing while another process reads. */
export function emptyLog(database: DatabaseSync): void {
  const busyTimeout = createBusyTimeout(database);
  // A backup can read for seconds, and the process would wait for it.
  busyTimeout.disable();
  try {
    database.exec('pragma wal_checkpoint(truncate)');
  } finally {
    busyTimeout.restore();
  }
}

function numberOf(database: DatabaseSync, pragma: string): number {
  return Number(database.prepare(`pragma ${pragma}`).get()?.[pragma]);
}
