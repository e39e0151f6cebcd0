// The real program with a rule over lists of streamers, without a change.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSandbox } from '#sandbox/index.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { cpuMsOf, end, memoryOf, startFanfare } from '../child-process.ts';
import { startHelix, type Helix } from '../cluster/helix.ts';

const LISTS = 10;
/** The largest list. */
const ENTRIES = 1_000;
const LIVE = 10;
const EVERY_S = 10;
const WARM_MS = 60_000;
const MEASURED_MS = 120_000;
const REQUESTS_A_POLL = (LISTS * ENTRIES) / 100;

/** The figures of the program, and of the program with the same lists and without polls. */
export interface ListFigures {
  readonly cpuMsPerPoll: number;
  readonly statementsPerPoll: number;
  readonly peakMb: number;
  readonly idleCpuMsPerMinute: number;
}

interface Spent {
  readonly cpuMs: number;
  readonly statements: number;
  readonly polls: number;
  readonly peakMb: number;
}

/** Measures both programs at the same time. */
export async function pollsOfLists(): Promise<ListFigures> {
  const [busy, idle] = await Promise.all([measure(`${EVERY_S}s`), measure('12h')]);
  return {
    cpuMsPerPoll: (busy.cpuMs - idle.cpuMs) / busy.polls,
    statementsPerPoll: (busy.statements - idle.statements) / busy.polls,
    peakMb: busy.peakMb,
    idleCpuMsPerMinute: idle.cpuMs / (MEASURED_MS / 60_000),
  };
}

async function measure(every: string): Promise<Spent> {
  using folder = temporaryFolder();
  await using helix = await startHelix({ isLive: (handle) => Number(handle.replace('streamer', '')) % LIVE === 0 });
  await using sandbox = await startSandbox({});
  const social = Object.fromEntries(Object.entries(sandbox.environment).filter(([name]) => name.startsWith('SANDBOX_')));
  writeLists(folder.path, every);
  const counted = join(folder.path, 'statements');
  const program = startFanfare({
    FANFARE_DATA: join(folder.path, 'data'),
    FANFARE_RULES: join(folder.path, 'rules'),
    PORT: '0',
    LOG_LEVEL: 'error',
    // With this variable, the program does not start a second time, which would lose the signal.
    MALLOC_ARENA_MAX: '1',
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'write-statements.ts')}`,
    FANFARE_BENCH_STATEMENTS: counted,
    ...social,
    ...helix.environment,
  });
  const { pid = 0 } = program;
  try {
    await untilPolled(helix);
    await sleep(WARM_MS);
    const before = { cpuMs: cpuMsOf(pid), statements: await statementsOf(pid, counted), requests: helix.seen.length };
    await sleep(MEASURED_MS);
    return {
      cpuMs: cpuMsOf(pid) - before.cpuMs,
      statements: (await statementsOf(pid, counted)) - before.statements,
      polls: (helix.seen.length - before.requests) / REQUESTS_A_POLL,
      peakMb: memoryOf(pid).peakMb,
    };
  } finally {
    await end(program);
  }
}

function writeLists(folder: string, every: string): void {
  for (const name of ['rules', 'lists', 'data']) mkdirSync(join(folder, name));
  const names = Array.from({ length: LISTS }, (_, index) => `team${index}`);
  for (const [index, name] of names.entries()) {
    const entries = Array.from({ length: ENTRIES }, (_, place) => `streamer${index * ENTRIES + place}: { line: "is live" }`);
    writeFileSync(join(folder, 'lists', `${name}.yaml`), `${entries.join('\n')}\n`);
  }
  const users = names.map((name) => `lists.${name}.map(p, p.id)`).join(' + ');
  const rule = `
id: teams
when:
  every: ${every}
  watch: streaming.getStreams
  with: { users: "\${{ ${users} }}" }
then:
  - do: social.createPost
    with: { text: "\${{ item.owner.displayName }} is live" }
`;
  writeFileSync(join(folder, 'rules', 'teams.yaml'), rule);
}

async function untilPolled(helix: Helix): Promise<void> {
  const untilMs = performance.now() + 120_000;
  while (helix.seen.length < REQUESTS_A_POLL) {
    if (performance.now() > untilMs) throw new Error('the program did not poll all streamers');
    await sleep(100);
  }
}

async function statementsOf(pid: number, file: string): Promise<number> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await sleep(10);
  return Number(readFileSync(file, 'utf8'));
}
