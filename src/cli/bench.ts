import type { Command } from 'commander';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UserError } from '#src/errors.ts';
import { document } from './document.ts';

const BENCHMARKS = fileURLToPath(new URL('../../bench/main.ts', import.meta.url));

export function declare(program: Command): void {
  document(program.command('bench', { hidden: !existsSync(BENCHMARKS) }), {
    group: 'contribute',
    summary: 'Measure startup time, memory and speed',
    description: [
      'Measure startup time, memory and speed of Fanfare. The command needs a clone of the repository, and takes several minutes.',
    ],
    examples: [['Run the benchmarks', 'fanfare bench']],
    exits: ['The measurements are complete', 'A measurement failed, or the benchmarks are missing'],
  }).action(async () => {
    process.exitCode = await bench(BENCHMARKS);
  });
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs the benchmarks in another process, as `npm run bench` does. Returns its exit code. */
export async function bench(file: string): Promise<number> {
  if (!existsSync(file)) throw new UserError('the benchmarks are missing: only a clone of the repository contains them');
  const child = spawn(process.execPath, [file], { stdio: 'inherit' });
  // The benchmarks must not outlive this process.
  const stop = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, stop);
  const [code] = (await once(child, 'exit')) as [number | null]; // the arguments of the event
  for (const signal of SIGNALS) process.off(signal, stop);
  return code ?? 1;
}
