import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import project from '../package.json' with { type: 'json' };

/** Linux counts CPU time in hundredths of a second. */
const TICK_MS = 10;

/** Starts Fanfare with the command of `npm start`, with only the given variables. */
export function startFanfare(env: Readonly<Record<string, string>>, folder = process.cwd()): ChildProcess {
  const [, ...args] = project.scripts.start.split(' ');
  return spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], env: { PATH: process.env['PATH'], ...env } });
}

/** The CPU time of a process with its threads. */
export function cpuMsOf(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [, , , , , , , , , , , user, system] = fields.split(' ');
  return (Number(user) + Number(system)) * TICK_MS;
}

export interface Memory {
  /** Everything in memory, with the parts that processes share, such as the program file of Node. */
  readonly residentMb: number;
  /** The parts that no other process shares. */
  readonly privateMb: number;
  readonly peakMb: number;
}

/** The memory of a process. */
export function memoryOf(pid: number): Memory {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    residentMb: megabytes(rollup, 'Rss'),
    privateMb: megabytes(rollup, 'Private_Clean') + megabytes(rollup, 'Private_Dirty'),
    peakMb: megabytes(status, 'VmHWM'),
  };
}

function megabytes(text: string, name: string): number {
  const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text) ?? [];
  return Number(kilobytes) / 1024;
}

/** Ends a process and waits for its end. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

/** The next message of a forked process. */
export async function messageOf(child: ChildProcess): Promise<unknown> {
  const stopWaiting = new AbortController();
  const { signal } = stopWaiting;
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`a process of the benchmark ended with ${code}`);
  });
  ended.catch(() => undefined);
  try {
    const [message]: unknown[] = await Promise.race([once(child, 'message', { signal }), ended]);
    return message;
  } finally {
    stopWaiting.abort();
  }
}
