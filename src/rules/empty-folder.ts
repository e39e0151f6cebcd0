import { existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** A new volume of Linux has this folder. */
const OF_VOLUME = 'lost+found';

/** The names in a folder; undefined if it cannot be read. */
export function namesIn(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder).filter((name) => name !== OF_VOLUME);
  } catch {
    return undefined;
  }
}

/**
 * The empty folder where a missing file was, which can be the mount point of a volume that is not mounted. Undefined if the nearest existing folder has
 * other files: then the file was deleted.
 */
export function emptyFolderOf(file: string): string | undefined {
  let folder = dirname(file);
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  return namesIn(folder)?.length === 0 ? folder : undefined;
}
