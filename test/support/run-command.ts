import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

/** A command that has ended. */
export interface EndedCommand {
  /** The exit code; undefined if a signal ended the process. */
  readonly code: number | undefined;
  readonly output: string;
  /** How long the process stayed after its last line. */
  readonly stayedMs: number;
}

export interface CommandOptions {
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The working directory. */
  readonly cwd?: string;
  /** Stops the command when its output contains this text. */
  readonly stopAt?: string | undefined;
  /** A command that stays longer after its last line is killed. */
  readonly longestMs?: number;
}

/** Runs a command of Fanfare in a process until it ends. */
export async function runCommand({ args, environment = {}, cwd, stopAt, longestMs = 20_000 }: CommandOptions): Promise<EndedCommand> {
  const child = spawn(process.execPath, [resolve('bin/fanfare.mjs'), ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...environment },
  });
  let output = '';
  let lastMs = performance.now();
  const killed = setTimeout(() => child.kill('SIGKILL'), longestMs);
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      lastMs = performance.now();
      killed.refresh();
      if (stopAt !== undefined && output.includes(stopAt)) child.kill('SIGTERM');
    });
  return new Promise((done) => {
    child.once('close', (code) => {
      clearTimeout(killed);
      done({ code: code ?? undefined, output, stayedMs: performance.now() - lastMs });
    });
  });
}
