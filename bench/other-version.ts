import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Runs these benchmarks with the sources of another checkout. Returns the exit code. */
export function benchOtherVersion(program: string, args: readonly string[]): number {
  const folder = mkdtempSync(join(tmpdir(), 'fanfare-bench-'));
  try {
    const other = resolve(program);
    // Node resolves the links, so the sources there import each other and the packages of that checkout.
    for (const name of readdirSync(other)) {
      if (name === 'package.json') cpSync(join(other, name), join(folder, name));
      else if (name !== 'bench' && name !== '.git') symlinkSync(join(other, name), join(folder, name));
    }
    cpSync(import.meta.dirname, join(folder, 'bench'), { recursive: true, filter: (source) => !source.endsWith('/node_modules') });
    symlinkSync(join(import.meta.dirname, 'peers/node_modules'), join(folder, 'bench/peers/node_modules'));
    const { status } = spawnSync(process.execPath, [join(folder, 'bench/main.ts'), ...args], { cwd: folder, stdio: 'inherit' });
    return status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
