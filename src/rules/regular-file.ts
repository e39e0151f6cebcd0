import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative } from 'node:path';

/** The content of a file, or why it was not read. */
export type FileContent = { readonly bytes: Uint8Array } | { readonly unreadable: string };

/** Which files are read. */
export interface ReadOptions {
  readonly mostBytes: number;
  /** Folders, or files in them. A link that leads out of all of them is not followed. Absent: each link is followed. */
  readonly within?: readonly string[] | undefined;
}

// Without O_NONBLOCK, opening a pipe blocks until another process writes to it.
const { O_RDONLY, O_NONBLOCK } = constants;
const FLAGS = O_RDONLY | O_NONBLOCK;

/** Reads a regular file. Pipes and devices are not read, because they may never end. Rejects with errors of the file system. */
export async function readRegularFile(path: string, options: ReadOptions): Promise<FileContent> {
  await using file = await open(path, FLAGS);
  const found = await file.stat();
  const unreadable = whyNotRead(path, found, options);
  if (unreadable !== undefined) return { unreadable };
  const { bytesRead, buffer } = await file.read(Buffer.alloc(found.size), 0, found.size, 0);
  return { bytes: buffer.subarray(0, bytesRead) };
}

/** Reads a regular file synchronously, for start-up. */
export function readRegularFileSync(path: string, options: ReadOptions): FileContent {
  const file = openSync(path, FLAGS);
  try {
    const found = fstatSync(file);
    const unreadable = whyNotRead(path, found, options);
    if (unreadable !== undefined) return { unreadable };
    const buffer = Buffer.alloc(found.size);
    return { bytes: buffer.subarray(0, readSync(file, buffer, 0, found.size, 0)) };
  } finally {
    closeSync(file);
  }
}

function whyNotRead(path: string, found: Stats, { mostBytes, within }: ReadOptions): string | undefined {
  if (found.isDirectory()) return 'it is a folder';
  if (!found.isFile()) return 'it is a pipe, a socket or a device, not a file';
  if (within && !within.some((folder) => isIn(folder, path, found)))
    return 'it is a link that leads out of the folder: put the file itself there';
  if (found.size <= mostBytes) return undefined;
  return `it is too large: it has ${found.size} bytes, and the limit is ${mostBytes}`;
}

/** Whether an open file is in a folder, or in the folder of a file. */
function isIn(folder: string, path: string, { dev, ino }: Stats): boolean {
  const root = realpathSync.native(statSync(folder).isDirectory() ? folder : dirname(folder));
  const real = realpathSync.native(path);
  if (!isBelow(root, real)) return false;
  // A link that changed after the file was opened would lead to another file.
  const reached = statSync(real);
  return reached.dev === dev && reached.ino === ino;
}

/** Whether a path is a folder or below it. Both are without links. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !/^\.\.(?:[/\\]|$)/u.test(way) && !isAbsolute(way);
}

/** A file changed this recently may change again without another time of change. */
const RECENT_MS = 2_000;

/** A text that differs after each change of a file. Undefined if the file changed just now, or cannot be read. */
export async function fileVersion(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found || Date.now() - found.ctimeMs < RECENT_MS) return undefined;
  return `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`;
}
