import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { cpuMsOf, end, startFanfare } from '../child-process.ts';
import { fanfare, nodeRed } from '../job/programs.ts';
import { runJob } from '../job/run.ts';
import { freePort, ready, yearlyRule } from '../growth.ts';
import { ratioToCalibration } from './calibration.ts';

const STARTS = 3;

/** The CPU time to the first poll and the memory then, as ratios to Node-RED. */
export async function startsBesideNodeRed(): Promise<{ readonly cpu: number; readonly memory: number }> {
  using folder = temporaryFolder();
  const ours = fanfare({ folder: join(folder.path, 'fanfare') });
  const theirs = nodeRed(join(folder.path, 'node-red'), { editor: true });
  const figures = { cpu: [] as number[], memory: [] as number[], peerCpu: [] as number[], peerMemory: [] as number[] };
  // The first round fills the caches.
  for (let round = 0; round <= STARTS; round++) {
    const [run, peer] = [await runJob(ours, { polls: 1 }), await runJob(theirs, { polls: 1 })];
    if (round === 0) continue;
    figures.cpu.push(run.cpuMs[0] ?? Number.NaN);
    figures.memory.push(run.memory.privateMb);
    figures.peerCpu.push(peer.cpuMs[0] ?? Number.NaN);
    figures.peerMemory.push(peer.memory.privateMb);
  }
  return {
    cpu: Math.min(...figures.cpu) / Math.min(...figures.peerCpu),
    memory: Math.min(...figures.memory) / Math.min(...figures.peerMemory),
  };
}

const RULES = 1_000;
const PAGES = 20;
const WARM_UP_PAGES = 60;
const PAGE_ROUNDS = 12;

export interface PageFigures {
  /** The CPU time of twenty rounds through the pages, as a ratio to the calibration. */
  readonly cpu: number;
  readonly bytes: number;
  /** The files that the program loads until it serves pages, and their size. */
  readonly modules: number;
  readonly moduleKilobytes: number;
}

/** What a person sees first on the sandbox, and the page that reads the rules. */
const PATHS = ['/demo', '/overview'];

/** The pages of the real program with a thousand rules. */
export async function pageOfThousandRules(): Promise<PageFigures> {
  using folder = temporaryFolder();
  const modules = join(folder.path, 'modules');
  mkdirSync(join(folder.path, 'rules'));
  writeFileSync(modules, '');
  for (let index = 0; index < RULES; index++)
    writeFileSync(join(folder.path, 'rules', `yearly-${index}.yaml`), yearlyRule(`yearly-${index}`));
  const port = await freePort();
  const program = startFanfare({
    FANFARE_DATA: join(folder.path, 'data'),
    FANFARE_RULES: join(folder.path, 'rules'),
    PORT: String(port),
    LOG_LEVEL: 'error',
    // With this variable, the program does not start a second time, which would count twice.
    MALLOC_ARENA_MAX: '1',
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'count-modules.mjs')}`,
    FANFARE_BENCH_MODULES: modules,
  });
  try {
    const url = `http://127.0.0.1:${port}`;
    await ready(url);
    const loaded = [...new Set(readFileSync(modules, 'utf8').trim().split('\n'))].map((file) => fileURLToPath(file.split('?')[0] ?? file));
    const bytes = await pages(url, WARM_UP_PAGES);
    const cpu = await ratioToCalibration(async () => {
      const beforeMs = cpuMsOf(program.pid ?? 0);
      await pages(url, PAGES);
      return cpuMsOf(program.pid ?? 0) - beforeMs;
    }, PAGE_ROUNDS);
    const kilobytes = loaded.reduce((sum, file) => sum + statSync(file).size, 0) / 1000;
    return { cpu, bytes: bytes / WARM_UP_PAGES, modules: loaded.length, moduleKilobytes: kilobytes };
  } finally {
    await end(program);
  }
}

async function pages(url: string, count: number): Promise<number> {
  let bytes = 0;
  for (let page = 0; page < count; page++) {
    for (const path of PATHS) {
      const { statusCode, body } = await request(`${url}${path}`, { reset: true });
      bytes += (await body.arrayBuffer()).byteLength;
      if (statusCode !== 200) throw new Error(`${path} answers ${statusCode}`);
    }
  }
  return bytes;
}
