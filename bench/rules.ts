import { fork } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import project from '../package.json' with { type: 'json' };

const Figures = z.object({ cpuShare: z.number(), peakMb: z.number(), polls: z.int(), slots: z.int(), sent: z.int() });

const RULES = 10_000;
const WARM_GRIDS = 1;
const GRIDS = 1;
const CPU_LIMIT = 0.1;
const MEMORY_LIMIT_MB = 200;
/** The flags of `bin/fanfare.mjs`: a compile cache, and one heap of the C library for all threads. */
const AS_STARTED = { NODE_COMPILE_CACHE: 'node_modules/.cache/fanfare', MALLOC_ARENA_MAX: '1' };

/** The load of ten thousand rules every five minutes, from the tick to the receipt: the share of one core and the peak memory. */
export async function manyRules(): Promise<void> {
  const empty = await run(0);
  const { cpuShare, peakMb, polls, slots, sent } = await run(RULES);
  print(`${RULES} rules every 5m, of one core`, `${(cpuShare * 100).toFixed(1)} %`, `${CPU_LIMIT * 100} %`);
  print('  memory at the peak', `${peakMb.toFixed(0)} MB`, `${MEMORY_LIMIT_MB} MB`);
  print('  the same without a rule', `${empty.peakMb.toFixed(0)} MB`);
  console.log(`  in five minutes: ${polls} polls, ${slots} slots, ${sent} sent`);
  if (cpuShare > CPU_LIMIT || peakMb > MEMORY_LIMIT_MB || slots < RULES) process.exitCode = 1;
}

/** Runs the benchmark in a new process with the flags of Fanfare. */
async function run(rules: number): Promise<z.output<typeof Figures>> {
  const execArgv = project.scripts.start.split(' ').filter((word) => word.startsWith('--'));
  const child = fork('bench/rules-grid.ts', [rules, WARM_GRIDS, GRIDS].map(String), {
    execArgv,
    env: { ...process.env, ...AS_STARTED },
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the rules ended with ${code}`);
  });
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [unknown]; // a message comes as one argument
  ended.catch(() => undefined);
  return Figures.parse(message);
}

function print(what: string, figure: string, limit?: string): void {
  console.log(`${what.padEnd(36)} ${figure.padStart(8)}${limit === undefined ? '' : `   limit ${limit}`}`);
}
