import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import { startSandbox, type Sandbox } from '#sandbox/index.ts';
import { end } from './child-process.ts';

const POLLS = 30;
const EVERY_S = 5;
const STARTED_MS = 20_000;

/** The job: poll a ranking of 100 streams, and post who is new in its first 20. */
const JOB = `
id: job
when:
  every: ${EVERY_S}s
  watch: streaming.getTopStreams
  take: 20
  changes: [entered]
then:
  - do: social.createPost
    with: { text: "\${{ item.owner.displayName }} is #\${{ item.rank }} with \${{ compact(item.viewerCount) }} viewers \${{ item.url }}" }
`;

/** A rule that polls only at the start. */
const IDLE = JOB.replace(/every: .*/u, 'every: 12h');

export interface PollFigures {
  readonly polls: number;
  readonly posts: number;
  /** CPU time of the whole process for 30 polls, the ticks between them included. */
  readonly cpuMs: number;
  /** CPU time of the whole process in a minute without a poll. */
  readonly idleMsPerMinute: number;
}

/** Measures the program with one rule, warm, with the sandbox in another process. */
export async function pollsOfTheJob(): Promise<PollFigures> {
  await using sandbox = await startSandbox({ seed: 7 });
  const directory = mkdtempSync(join(tmpdir(), 'fanfare-polls-'));
  const launchOne = (name: string, rule: string) => launch(join(directory, name), { rule, sandbox });
  const [job, idle] = [launchOne('job', JOB), launchOne('idle', IDLE)];
  try {
    await sleep(STARTED_MS);
    const before = { polls: await requests(sandbox, '/streams'), posts: await requests(sandbox, 'operation') };
    const [jobMs, idleMs] = [cpuMsOf(job), cpuMsOf(idle)];
    await sleep(POLLS * EVERY_S * 1000);
    return {
      cpuMs: cpuMsOf(job) - jobMs,
      idleMsPerMinute: (cpuMsOf(idle) - idleMs) / ((POLLS * EVERY_S) / 60),
      polls: (await requests(sandbox, '/streams')) - before.polls,
      posts: (await requests(sandbox, 'operation')) - before.posts,
    };
  } finally {
    await Promise.all([job, idle].map(end));
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Launch {
  readonly rule: string;
  readonly sandbox: Sandbox;
}

function launch(directory: string, { rule, sandbox }: Launch): ChildProcess {
  mkdirSync(join(directory, 'rules'), { recursive: true });
  writeFileSync(join(directory, 'rules/job.yaml'), rule);
  const accounts = Object.entries(sandbox.environment).filter(([name]) => /^(TWITCH|SANDBOX)_/u.test(name));
  return spawn(process.execPath, ['--max-semi-space-size=1', 'bin/fanfare.mjs', 'start'], {
    stdio: 'inherit',
    env: {
      ...Object.fromEntries(accounts),
      PATH: process.env['PATH'],
      NODE_OPTIONS: process.env['FANFARE_NODE_OPTIONS'],
      PORT: '0',
      FANFARE_DATA: directory,
      FANFARE_RULES: join(directory, 'rules'),
      LOG_LEVEL: 'warn',
    },
  });
}

/** CPU time of all threads of a process. Unlike `stat`, it does not count in steps of 10 ms. */
function cpuMsOf({ pid }: ChildProcess): number {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const spentNs = tasks.map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]));
  return spentNs.reduce((sum, ns) => sum + ns, 0) / 1e6;
}

const Routes = z.object({ items: z.array(z.object({ route: z.string(), count: z.number() })) });

async function requests({ url }: Sandbox, part: string): Promise<number> {
  const { items } = Routes.parse(await (await request(`${url}/control/requests`)).body.json());
  return items.filter(({ route }) => route.includes(part)).reduce((sum, { count }) => sum + count, 0);
}

if (import.meta.main) console.log(await pollsOfTheJob());
