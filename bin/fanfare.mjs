#!/usr/bin/env -S node --max-semi-space-size=1
// This file is plain JavaScript, so that older Node versions can run it and start a newer one.
// The flag keeps the young generation of the heap small: see docs/decisions/0002-memory.md.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findFreshBuild, hasBuild } from './fresh-build.mjs';

const SMALL_HEAP = '--max-semi-space-size=1';
// Otherwise, the C library uses a separate heap for each thread, these heaps never shrink, and memory that a start used stays with the process.
const SMALL_ARENAS = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' };

// The file descriptor of a pipe from the parent process. The pipe ends with the parent, even if the parent is killed.
const PARENT_PIPE = 'FANFARE_PARENT_PIPE';

const script = fileURLToPath(import.meta.url);
const args = process.argv.slice(2);
const isLongLived = args[0] === 'start' || args[0] === 'sandbox';
const root = dirname(dirname(script));
/** A build runs on Node 22. The sources need a Node that strips types and has `using`. */
const OLDEST_FOR_BUILDS = [22, 19];
const OLDEST_FOR_SOURCES = [24, 15];

const installed = isAtLeast(OLDEST_FOR_SOURCES) ? undefined : installedNode();
if (isAtLeast(OLDEST_FOR_SOURCES) || (!installed && isAtLeast(OLDEST_FOR_BUILDS) && findFreshBuild(root))) await run();
else if (installed) runOn(installed);
else {
  const needed = existsSync(join(root, 'src')) ? OLDEST_FOR_SOURCES : OLDEST_FOR_BUILDS;
  fail(`Fanfare needs Node ${needed.join('.')} or newer; this is ${process.versions.node}. Install a newer one from https://nodejs.org.`);
}

async function run() {
  // The C library reads the variable at the start of a process, so this process restarts itself. A restart would lose an IPC channel.
  if (isLongLived && process.platform === 'linux' && !process.env.MALLOC_ARENA_MAX && !process.send && isAtLeast(OLDEST_FOR_SOURCES)) {
    process.execve?.(process.execPath, [process.execPath, SMALL_HEAP, script, ...args], { ...process.env, ...SMALL_ARENAS });
  }
  const shell = process.ppid;
  endWithParent();
  // A reload during the start needs nothing. Without a listener, it would end the process, and systemd would not restart it.
  if (args[0] === 'start') process.on('SIGHUP', () => undefined);
  hideSqliteWarning();
  let build = findFreshBuild(root);
  if (!build && args[0] === 'start' && args.includes('--build')) {
    spawnSync(process.execPath, [join(root, 'bin/build.mjs'), '--optional'], { stdio: 'inherit' });
    build = findFreshBuild(root);
  }
  // Not earlier: while it builds, a signal could not reach a listener, and would have to wait.
  endWithShell(shell);
  if (!build && !existsSync(join(root, 'src'))) return fail(`The build of Fanfare in ${root} is damaged. Install Fanfare again.`);
  if (!build && args[0] === 'start' && hasBuild(root)) {
    console.error(
      'fanfare: dist/ does not contain a build of these sources, so Fanfare runs from the sources. To build it, run: npm run build',
    );
  }
  module.enableCompileCache(build ? join(build, 'cache') : join(root, 'node_modules/.cache/fanfare'));
  const main = await loadMain(pathToFileURL(build ? join(build, 'main.js') : join(root, 'src/main.ts')).href);
  await main?.(process.argv);
}

async function loadMain(url) {
  try {
    return (await import(url)).main;
  } catch (error) {
    // The packages are missing before and during `npm ci`.
    const [, name] = error.code === 'ERR_MODULE_NOT_FOUND' ? (/^Cannot find package '([^']+)'/.exec(error.message) ?? []) : [];
    if (name === undefined) throw error;
    return fail(`The package ${name} is not installed. Run npm ci, or wait until it has ended.`);
  }
}

/** Ends with the exit code for a wrong installation. */
function fail(message) {
  console.error(message);
  process.exitCode = 78;
}

function isAtLeast([major, minor]) {
  const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/** The Node that npm installed with a clone of Fanfare, or that a user installed beside the package; undefined if there is none. */
function installedNode() {
  const [system, suffix] = process.platform === 'win32' ? ['win', '.exe'] : [process.platform, ''];
  try {
    return module.createRequire(script).resolve(`node-${system}-${process.arch}/bin/node${suffix}`);
  } catch {
    return undefined;
  }
}

function runOn(node) {
  const nodeArgs = [SMALL_HEAP, script, ...args];
  const env = { ...SMALL_ARENAS, ...process.env };
  // With execve, this process becomes the other one, so it has no signals or exit codes to forward.
  if (process.platform !== 'win32' && !process.send) process.execve?.(node, [node, ...nodeArgs], env);
  const stdio = ['inherit', 'inherit', 'inherit', 'pipe'];
  const child = spawn(node, nodeArgs, { stdio, env: { ...env, [PARENT_PIPE]: '3' } });
  // A Ctrl+C in the terminal reaches both processes; the child counts two simultaneous signals as one. On Windows, `kill` would end it at once.
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGBREAK'])
    process.on(signal, () => process.platform === 'win32' || child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)));
}

/** Node 22 warns that its SQLite is experimental, which the user of a command can do nothing about. */
function hideSqliteWarning() {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) emitWarning(warning, ...rest);
  };
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

/**
 * Sends SIGTERM to this process when the shell of npm has ended, because npm sends signals to its shell only, and most shells do not forward them;
 * and when npm was killed, which leaves its shell.
 */
function endWithShell(shell) {
  if (!isLongLived || !['start', 'npx'].includes(process.env.npm_lifecycle_event)) return;
  const npm = npmOf(shell);
  const hasEnded = () => {
    if (process.ppid !== shell) return true;
    const parent = npm === undefined ? undefined : parentOf(shell);
    // The file of a running shell cannot be read while no file descriptor is free.
    return parent !== undefined && parent !== npm;
  };
  const timer = setInterval(() => hasEnded() && process.kill(process.pid, 'SIGTERM'), 1000).unref();
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.once(signal, () => {
      // A second signal would end the process at once: a supervisor may send the first one to the shell and to this process.
      clearInterval(timer);
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
    });
  }
}

/** The process of npm above its shell. Undefined if the shell became this process, or on systems without /proc. */
function npmOf(shell) {
  const parent = parentOf(shell);
  return parent !== undefined && /^npm\s/.test(ofProcess(parent, 'comm') ?? '') ? parent : undefined;
}

function parentOf(pid) {
  return /\) \S (\d+)/.exec(ofProcess(pid, 'stat') ?? '')?.[1];
}

function ofProcess(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
