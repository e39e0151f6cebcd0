import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';

/** A folder that is gone when it is disposed of; in memory, where the system has files there, for tests that open very many. */
export function temporaryFolder({ inMemory = false }: { readonly inMemory?: boolean } = {}): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(inMemory && existsSync(MEMORY) ? MEMORY : tmpdir(), 'fanfare-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
