import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';

/** A folder that is deleted at disposal. It is in memory if the system supports that, because some tests write many files. */
export function temporaryFolder({ inMemory = false }: { readonly inMemory?: boolean } = {}): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(inMemory && existsSync(MEMORY) ? MEMORY : tmpdir(), 'fanfare-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
