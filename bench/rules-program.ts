// The real program with very many rules: the time to the first poll, and the cost of each five minutes.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import project from '../package.json' with { type: 'json' };
import { startSandbox, type Sandbox } from '#sandbox/index.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { cpuMsOf, end, memoryOf } from './child-process.ts';
import { ruleSource, type WorldNames } from './rules-world.ts';

const GRID_MS = 300_000;
const PAUSE_MS = 20;
const FIRST_POLL_TIMEOUT_MS = 120_000;

/** The measures of one run. */
export interface ProgramMeasures {
  /** The time from the start of the process to the first poll of a list. */
  readonly firstPollMs: number;
  /** The CPU time until then. */
  readonly firstPollCpuMs: number;
  /** The share of one core in each five minutes of the clock. The first share includes the start. */
  readonly cpuShares: readonly number[];
  readonly peakMb: number;
  /** The polls that reached the platform. */
  readonly polls: number;
}

/** Runs the real program with `rules` rule files until it has run for `grids` times five minutes. The sandbox runs in this process. */
export async function runProgram({ rules, grids }: { readonly rules: number; readonly grids: number }): Promise<ProgramMeasures> {
  using folder = temporaryFolder();
  await using sandbox = await startSandbox({});
  writeRules(join(folder.path, 'rules'), rules, sandbox);
  const startedMs = performance.now();
  const app = spawn(process.execPath, project.scripts.start.split(' ').slice(1), {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      FANFARE_DATA: join(folder.path, 'data'),
      FANFARE_RULES: join(folder.path, 'rules'),
      LOG_LEVEL: 'error',
      ...sandbox.environment,
    },
  });
  try {
    while ((await listRequests(sandbox)) === 0) {
      if (app.exitCode !== null) throw new Error(`the program ended with ${app.exitCode}`);
      if (performance.now() - startedMs > FIRST_POLL_TIMEOUT_MS) throw new Error('the program polled nothing');
      await sleep(PAUSE_MS);
    }
    const firstPollMs = performance.now() - startedMs;
    const firstPollCpuMs = cpuMsOf(app.pid ?? 0);
    const cpuShares: number[] = [];
    for (let grid = 0; grid < grids; grid++) {
      const beforeMs = grid === 0 ? 0 : cpuMsOf(app.pid ?? 0);
      await sleep(GRID_MS);
      cpuShares.push((cpuMsOf(app.pid ?? 0) - beforeMs) / GRID_MS);
    }
    return { firstPollMs, firstPollCpuMs, cpuShares, peakMb: memoryOf(app.pid ?? 0).peakMb, polls: await listRequests(sandbox) };
  } finally {
    await end(app);
  }
}

function writeRules(folder: string, count: number, { world }: Sandbox): void {
  const names: WorldNames = { games: world.games.map(({ name }) => name), people: world.people.map(({ handle }) => handle) };
  mkdirSync(folder);
  for (let index = 0; index < count; index++) writeFileSync(join(folder, `${index}.yaml`), ruleSource(index, names));
}

const Requests = z.object({ items: z.array(z.object({ route: z.string(), count: z.int() })) });

async function listRequests({ url }: Sandbox): Promise<number> {
  const { body } = await request(`${url}/control/requests?platform=twitch`);
  const { items } = Requests.parse(await body.json());
  return items.filter(({ route }) => route.includes('/streams')).reduce((sum, { count }) => sum + count, 0);
}

if (import.meta.main) {
  const [rules = 10_000, grids = 2] = process.argv.slice(2).map(Number);
  const { firstPollMs, firstPollCpuMs, cpuShares, peakMb: peak, polls } = await runProgram({ rules, grids });
  console.log(`${rules} rules: first poll after ${firstPollMs.toFixed(0)} ms, ${firstPollCpuMs} ms of CPU; at most ${peak.toFixed(0)} MB`);
  console.log(
    `  of one core in each five minutes: ${cpuShares.map((share) => `${(share * 100).toFixed(1)} %`).join(', ')}; ${polls} polls`,
  );
}
