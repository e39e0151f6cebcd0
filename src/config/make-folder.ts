import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '#src/errors.ts';

/**
 * Creates a folder and its parents, by default for their owner only. Throws the error of the system.
 *
 * The option `recursive` of Node never ends where the system refuses all folders with ENOENT, for example below /proc.
 */
export function makeFolder(folder: string, mode = 0o700): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have created it.
    if (codeOf(error) !== 'EEXIST' || !isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
