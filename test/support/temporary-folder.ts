import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** A container has 64 MB by default, which is too little for the databases of the tests. */
const LEAST_FREE_BYTES = 2 ** 30;

/** The folder of temporary files in memory, or on the disk if the system has no such folder with enough space. */
export function memoryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize < LEAST_FREE_BYTES ? tmpdir() : MEMORY;
  } catch {
    return tmpdir();
  }
}

/** Deep tests write large files, and their databases on a disk wait like those of users. All others write many small files. */
export const isInMemory = process.env['FANFARE_DEEP'] === undefined;

/** A folder that is deleted at disposal. */
export function temporaryFolder({ inMemory = isInMemory }: { readonly inMemory?: boolean } = {}): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(inMemory ? memoryFolder() : tmpdir(), 'fanfare-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
