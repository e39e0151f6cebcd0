import type { Command } from 'commander';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { UserError } from '#src/errors.ts';

/** Declares the command `bench`. */
export function declare(program: Command): void {
  program
    .command('bench')
    .description('measure startup time, memory and speed; needs a clone and takes minutes')
    .action(async () => {
      const { fileURLToPath } = await import('node:url');
      process.exitCode = await bench(fileURLToPath(new URL('../../bench/main.ts', import.meta.url)));
    });
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs the benchmarks in another process, as `npm run bench` does. Returns its exit code. */
export async function bench(file: string): Promise<number> {
  if (!existsSync(file)) throw new UserError('Only a clone of the repository contains the benchmarks. Run npm run bench there.');
  const child = spawn(process.execPath, [file], { stdio: 'inherit' });
  // The benchmarks must not outlive this process.
  const stop = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, stop);
  const [code] = (await once(child, 'exit')) as [number | null]; // the arguments of the event
  for (const signal of SIGNALS) process.off(signal, stop);
  return code ?? 1;
}
