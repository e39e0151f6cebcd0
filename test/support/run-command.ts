import { spawn } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { measureRunningTime } from './running-time.ts';

/** A command that has ended. */
export interface EndedCommand {
  /** The exit code; undefined if a signal ended the process. */
  readonly code: number | undefined;
  readonly output: string;
  /** How long the process stayed after its last line, or after it was asked to stop. */
  readonly stayedMs: number;
}

export interface CommandOptions {
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The working directory. */
  readonly cwd?: string;
  /** Asks the command to stop when its output contains this text. */
  readonly stopAt?: RegExp | undefined;
  /** A command that stays longer after its last line is killed. */
  readonly longestMs?: number;
}

const LONGEST_STAY_MS = 2_000;

/** How long a process may stay after its last line: 2 seconds, and longer on a machine that runs more processes than it has cores. */
export function longestStayMs(): number {
  const [load = 0] = loadavg();
  return LONGEST_STAY_MS * Math.max(1, load / availableParallelism());
}

/** Runs a command of Fanfare in a process until it ends. */
export async function runCommand({ args, environment = {}, cwd, stopAt, longestMs = 240_000 }: CommandOptions): Promise<EndedCommand> {
  const child = spawn(process.execPath, [resolve('bin/fanfare.mjs'), ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...environment },
  });
  let output = '';
  const running = measureRunningTime();
  let lastMs = 0;
  let isStopped = false;
  const killed = setTimeout(() => child.kill('SIGKILL'), longestMs);
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      lastMs = running.ms;
      killed.refresh();
      if (isStopped || stopAt?.test(output) !== true) return;
      isStopped = true;
      child.kill('SIGTERM');
    });
  return new Promise((done) => {
    child.once('close', (code) => {
      clearTimeout(killed);
      running[Symbol.dispose]();
      done({ code: code ?? undefined, output, stayedMs: running.ms - lastMs });
    });
  });
}
