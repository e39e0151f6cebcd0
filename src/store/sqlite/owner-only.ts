import { chmodSync, closeSync, openSync, statSync, type Stats } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { forOwner, isForOthers } from '#src/secrets/modes.ts';

const STICKY_BIT = 0o1000;

/** Makes an empty file for its owner alone; one that is there, and what SQLite puts beside it, is for nobody else from then on. */
export function ownerOnly(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    // Nothing is opened for it: closing a file takes SQLite's locks on it from the whole process.
    for (const path of [file, `${file}-wal`, `${file}-shm`]) tighten(path);
  }
}

/** The same for the folder of `file`, where it is Fanfare's: not one that all share, and not one that somebody works in. */
export function ownFolderOnly(file: string): void {
  const folder = resolve(dirname(file));
  const way = relative(folder, process.cwd());
  const isAround = way === '' || !way.startsWith('..');
  if (!isAround) tighten(folder, ({ mode }) => (mode & STICKY_BIT) === 0);
}

function tighten(path: string, isMeant: (stats: Stats) => boolean = () => true): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats || !isForOthers(stats.mode) || stats.uid !== process.getuid?.() || !isMeant(stats)) return;
  try {
    chmodSync(path, forOwner(stats.mode));
  } catch {
    // A disk without modes: it goes on as it is.
  }
}
