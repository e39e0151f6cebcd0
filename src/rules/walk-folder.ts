import { existsSync, readdirSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isHiddenBelow } from './file-names.ts';
import { isBelow } from './regular-file.ts';

/** A new volume of Linux has this folder. */
const OF_VOLUME = 'lost+found';

/** What is in a folder and its subfolders, without hidden files and folders. Paths have slashes. */
export interface WalkedFolder {
  /** Everything but folders. */
  readonly files: readonly string[];
  /** The folder, then its subfolders. */
  readonly folders: readonly string[];
  /** Links to folders outside. They are not followed. */
  readonly outside: readonly string[];
}

/** Reads a folder with its subfolders. Rejects with errors of the file system. */
export async function walkFolder(folder: string): Promise<WalkedFolder> {
  const found = { files: [] as string[], folders: [folder], outside: [] as string[] };
  const pending = [folder];
  const followed = new Set<string>();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    // The recursive read does not follow links.
    for (const entry of await readdir(next, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name).replaceAll('\\', '/');
      if (isHiddenBelow(folder, path)) continue;
      if (entry.isDirectory()) found.folders.push(path);
      // A link with the name of a rule file gets the error of such a folder.
      else if (!entry.isSymbolicLink() || /\.ya?ml$/u.test(path) || !(await isFolder(path))) found.files.push(path);
      else {
        const [root, target] = [await realpath(folder), await realpath(path)];
        if (!isBelow(root, target)) found.outside.push(path);
        // A mounted ConfigMap has a link into a hidden folder for each of its folders. Other folders inside are read anyway.
        else if (isHiddenBelow(root, target) && !followed.has(target)) {
          followed.add(target);
          found.folders.push(path);
          pending.push(path);
        }
      }
    }
  }
  return found;
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

/** The names in a folder; undefined if it cannot be read. */
export function namesIn(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder).filter((name) => name !== OF_VOLUME);
  } catch {
    return undefined;
  }
}

/**
 * The empty folders where missing files were, which can be mount points of volumes that are not mounted. If the nearest existing folder of a file has
 * other files, the file was deleted.
 */
export function emptyFoldersOf(missing: readonly string[]): ReadonlySet<string> {
  // A folder can have thousands of files.
  const folders = new Set(missing.map((file) => dirname(file)));
  const nearest = new Set([...folders].map(nearestExisting));
  return new Set([...nearest].filter((folder) => namesIn(folder)?.length === 0));
}

function nearestExisting(folder: string): string {
  const parent = dirname(folder);
  return existsSync(folder) || parent === folder ? folder : nearestExisting(parent);
}
