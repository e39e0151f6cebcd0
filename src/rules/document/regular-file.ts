import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';

/** What is in a file, or why it is not read. */
export type FileContent = { readonly bytes: Uint8Array } | { readonly unreadable: string };

// To open a pipe would block until somebody writes to it.
const { O_RDONLY, O_NONBLOCK } = constants;
const FLAGS = O_RDONLY | O_NONBLOCK;

/** Reads a regular file of at most `mostBytes`; a pipe or a device is not read, as it may have no end. Rejects with errors of the file system. */
export async function readRegularFile(path: string, mostBytes: number): Promise<FileContent> {
  await using file = await open(path, FLAGS);
  const found = await file.stat();
  const unreadable = whyNotRead(found, mostBytes);
  if (unreadable !== undefined) return { unreadable };
  const { bytesRead, buffer } = await file.read(Buffer.alloc(found.size), 0, found.size, 0);
  return { bytes: buffer.subarray(0, bytesRead) };
}

/** The same, for what is read before anything runs. */
export function readRegularFileSync(path: string, mostBytes: number): FileContent {
  const file = openSync(path, FLAGS);
  try {
    const found = fstatSync(file);
    const unreadable = whyNotRead(found, mostBytes);
    if (unreadable !== undefined) return { unreadable };
    const buffer = Buffer.alloc(found.size);
    return { bytes: buffer.subarray(0, readSync(file, buffer, 0, found.size, 0)) };
  } finally {
    closeSync(file);
  }
}

function whyNotRead(found: Stats, mostBytes: number): string | undefined {
  if (found.isDirectory()) return 'it is a folder';
  if (!found.isFile()) return 'it is no regular file but a pipe, a socket or a device';
  if (found.size <= mostBytes) return undefined;
  return `it is too large: it has ${found.size} bytes, and at most ${mostBytes} are read`;
}
