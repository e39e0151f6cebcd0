import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { check } from './checker/check.ts';
import { explainViolations } from './checker/explain.ts';
import { readEvidence } from './checker/read-sandbox.ts';
import { Violations, type Violation } from './checker/violations.ts';
import { monitorCluster, saveTables } from './cluster-monitor.ts';
import { ACCOUNTS, openCluster, type Cluster } from './cluster.ts';
import { planFaults, runFaults } from './faults.ts';
import { HistoryFile, readHistory } from './history.ts';
import type { ChaosOptions } from './options.ts';
import { choosePeople, runPeople, takeOffline } from './people.ts';
import { runPlatformFaults } from './platform-faults.ts';
import { Random } from './random.ts';
import { planRules } from './rules.ts';
import { startSandboxProcess } from './sandbox-process.ts';

const CHECK_EACH_MS = 60_000;
const SETTLE_CHECK_MS = 3_000;

export interface RunOptions {
  readonly options: ChaosOptions;
  /** The folder for everything that the run writes. */
  readonly folder: string;
  /** The command that repeats the run. */
  readonly repeatedBy: string;
  readonly log: (line: string) => void;
  /** Ends the faults early. */
  readonly signal: AbortSignal;
}

/** Runs the experiment; resolves with the violations that the checker found. */
export async function runChaos({ options, folder, repeatedBy, log, signal }: RunOptions): Promise<readonly Violation[]> {
  const { seed, people: count, requiredMs, lateMs } = options;
  await mkdir(folder, { recursive: true });
  log(`seed ${seed}, scale ${options.scale}, ${options.workers} workers on ${options.database}; history and logs: ${folder}`);
  await using stack = new AsyncDisposableStack();
  const sandbox = stack.use(await startSandboxProcess(folder, seed));
  const people = choosePeople(seed, count);
  const rules = planRules(people, new Random(seed, 'rules'));
  const history = new HistoryFile(join(folder, 'history.jsonl'));
  const workers = Array.from({ length: options.workers }, (_, index) => `w${index + 1}`);
  history.add({
    kind: 'run',
    seed,
    sandboxUrl: sandbox.url,
    rules: [...rules],
    accounts: [...ACCOUNTS],
    workers,
    requiredMs,
    lateMs,
  });
  await takeOffline({ sandbox, history, people });
  const cluster = stack.use(await openCluster({ folder, options, rules, sandbox, history, random: new Random(seed, 'clocks'), log }));
  const [first, ...others] = cluster.members;
  if (!first || !(await cluster.start(first))) throw new Error(`the first worker did not become ready; see ${join(folder, 'logs')}`);
  await Promise.all(others.map((member) => cluster.start(member)));
  history.add({ kind: 'rulesRun' });
  log(`${rules.length} rules for ${people.length} people run`);

  await disturb({ options, folder, log, signal }, { sandbox, history, people, cluster });
  await settle({ folder, withinMs: requiredMs + lateMs });
  await runChecker({ folder, log }, ['--final']);
  const violations = Violations.parse(JSON.parse(readFileSync(join(folder, 'violations.json'), 'utf8')));
  const tables = violations.length > 0 && cluster.postgres ? await saveTables(cluster.postgres.url, folder) : undefined;
  for (const line of explainViolations(violations, { history: readHistory(join(folder, 'history.jsonl')), tables })) log(line);
  log(`to repeat: ${repeatedBy}`);
  return violations;
}

interface Parts {
  readonly sandbox: Awaited<ReturnType<typeof startSandboxProcess>>;
  readonly history: HistoryFile;
  readonly people: readonly string[];
  readonly cluster: Cluster;
}

/** Faults, orders and intermediate checks until all faults are done or the signal aborts. */
async function disturb(
  { options, folder, log, signal }: Omit<RunOptions, 'repeatedBy'>,
  { sandbox, history, people, cluster }: Parts,
): Promise<void> {
  const { seed, holdMs } = options;
  const plan = planFaults(options, new Random(seed, 'plan'));
  const late = AbortSignal.timeout(options.timeLimitMs);
  const faults = AbortSignal.any([signal, late]);
  const done = new AbortController();
  const calm = AbortSignal.any([faults, done.signal]);
  let count = 0;
  const { postgres } = cluster;

  function onFault(): void {
    count++;
    if (count === Math.ceil(plan.length / 2)) cluster.beginUpgrade();
  }

  async function checkSometimes(): Promise<void> {
    while (!calm.aborted) {
      await sleep(CHECK_EACH_MS, undefined, { signal: calm }).catch(() => undefined);
      if (calm.aborted) return;
      log(`${count} of ${plan.length} faults`);
      await runChecker({ folder, log }, []);
    }
  }
  await Promise.all([
    runFaults(plan, { cluster, history, options, random: new Random(seed, 'faults'), onFault, signal: faults }).finally(() => done.abort()),
    runPlatformFaults({ sandbox, history, random: new Random(seed, 'platforms'), signal: calm }),
    runPeople({ sandbox, history, people, seed, holdMs, signal: calm }),
    checkSometimes(),
    postgres && monitorCluster({ url: postgres.url, history, signal: calm }),
  ]);
  history.add({ kind: 'calm' });
  log(`${count} of ${plan.length} faults done; waiting for the last announcements`);
}

/** Waits until everything that must arrive has arrived. */
async function settle({ folder, withinMs }: { folder: string; withinMs: number }): Promise<void> {
  const endMs = Date.now() + withinMs;
  while (Date.now() < endMs) {
    await sleep(SETTLE_CHECK_MS);
    const history = readHistory(join(folder, 'history.jsonl'));
    if (!check({ ...(await readEvidence(folder, history)), history, isFinal: true }).violations.some(({ kind }) => kind === 'lost')) return;
  }
}

/** Runs the checker as a separate program. */
async function runChecker({ folder, log }: Pick<RunOptions, 'folder' | 'log'>, args: readonly string[]): Promise<void> {
  const checker = spawn(process.execPath, [resolve('test/chaos/checker/main.ts'), folder, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface({ input: checker.stdout }).on('line', log);
  await once(checker, 'close');
}
