import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChaosAccount, HistoryFile } from './history.ts';
import { freePort } from '../support/fanfare-process.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import type { ChaosOptions } from './options.ts';
import type { Random } from './random.ts';
import { ruleFile, type ChannelRule } from './rules.ts';
import { socialToken, type SandboxProcess } from './sandbox-process.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
import { WorkerProcess } from './worker-process.ts';

const HOUR_MS = 3_600_000;
const READY_WITHIN_MS = 120_000;
const RESTART_MS = 1_000;

export const ACCOUNTS: readonly ChaosAccount[] = [
  { name: 'discord', platform: 'discord', owner: 'Fanfare Sandbox', mayLose: false },
  { name: 'berlin', platform: 'discord', owner: 'Berlin Sandbox', mayLose: false },
  { name: 'sandbox', platform: 'social', owner: 'fanfare', mayLose: false },
  { name: 'club', platform: 'social', owner: 'ada', mayLose: false },
  { name: 'mastodon', platform: 'mastodon', owner: 'fanfare', mayLose: false },
  { name: 'bluesky', platform: 'bluesky', owner: 'fanfare.sandbox.test', mayLose: false },
  // X does not report whether it has a post after a lost response.
  { name: 'x', platform: 'x', owner: 'fanfare', mayLose: true },
];

const BERLIN_SERVER = '1202584131997794305';

/** A worker with its connection to the database. */
export interface Member {
  readonly worker: WorkerProcess;
  /** Undefined with SQLite. */
  readonly proxy: TcpProxy | undefined;
}

/** The workers of a run and their shared state. */
export interface Cluster extends AsyncDisposable {
  readonly members: readonly Member[];
  /** Undefined with SQLite. */
  readonly postgres: TestPostgres | undefined;
  /** Starts a worker whose clock may be wrong, and writes to the history when it is ready. */
  start(member: Member): Promise<boolean>;
  /** From now on, half of the processes that start are of the next version of the program. */
  beginUpgrade(): void;
}

export interface ClusterOptions {
  readonly folder: string;
  readonly options: ChaosOptions;
  readonly rules: readonly ChannelRule[];
  readonly sandbox: SandboxProcess;
  readonly history: HistoryFile;
  readonly random: Random;
  readonly log: (line: string) => void;
}

const SENT_LINE = /^\S+ info +sent .*?\brule=(\S+) .*?\bdelivery=(\S+) .*?\baccount=(\S+)/;

/** Starts the database and the proxies. The workers do not run yet. */
export async function openCluster({ folder, options, rules, sandbox, history, random, log }: ClusterOptions): Promise<Cluster> {
  await using opening = new AsyncDisposableStack();
  await mkdir(join(folder, 'project', 'rules'), { recursive: true });
  await mkdir(join(folder, 'logs'), { recursive: true });
  await Promise.all(rules.map((rule) => writeFile(join(folder, 'project', 'rules', `${rule.id}.yaml`), ruleFile(rule))));
  await writeFile(join(folder, 'project', 'fanfare.yaml'), fanfareFile(sandbox));
  const shared = {
    ...sandbox.environment,
    CLUB_TOKEN: await socialToken(sandbox, 'ada'),
    FANFARE_RULES: join(folder, 'project', 'rules'),
    FANFARE_KEY: '7'.repeat(64),
    LOG_LEVEL: 'info',
  };
  const postgres = options.database === 'postgres' ? opening.use(await startPostgres({ isDurable: true })) : undefined;

  let isOpen = true;
  let hasNextVersion = false;

  async function open(number: number): Promise<Member> {
    const name = `w${number}`;
    const proxy = postgres && opening.use(await startTcpProxy({ targetPort: postgres.port }));
    const databaseUrl = postgres && proxy && postgres.url.replace(`:${postgres.port}/`, `:${proxy.port}/`);
    const worker = new WorkerProcess({
      name,
      // The first worker also has the gateway of Discord and the page.
      args: number === 1 ? ['start'] : ['start', '--role', 'worker'],
      port: await freePort(),
      environment: { ...shared, FANFARE_DATA: join(folder, 'data', name), ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) },
      logFile: join(folder, 'logs', `${name}.log`),
      onLine(line) {
        const [, rule, delivery, account] = SENT_LINE.exec(line) ?? [];
        if (rule && delivery && account) history.add({ kind: 'sent', process: worker.process, rule, delivery, account });
      },
      onCrash(code, lastLines) {
        history.add({ kind: 'crashed', worker: name, code });
        log([`${name} ended by itself: ${code}`, ...lastLines].join('\n  '));
        // As a supervisor does.
        setTimeout(() => void (isOpen && worker.state === 'down' && start(member)), RESTART_MS);
      },
    });
    const member = { worker, proxy };
    opening.defer(() => worker.kill());
    return member;
  }

  async function start({ worker }: Member): Promise<boolean> {
    const shiftMs = options.database === 'sqlite' ? 0 : random.pick([0, 2 * HOUR_MS, -2 * HOUR_MS] as const);
    const isNext = hasNextVersion && random.number() < 0.5;
    worker.start({ shiftMs, isNext });
    history.add({ kind: 'started', worker: worker.name, shiftMs, isNext });
    const isReady = await worker.untilReady(READY_WITHIN_MS);
    if (isReady) history.add({ kind: 'ready', worker: worker.name });
    return isReady;
  }

  const members: Member[] = [];
  for (let number = 1; number <= options.workers; number++) members.push(await open(number));

  opening.defer(() => {
    isOpen = false;
  });
  const opened = opening.move();
  return {
    members,
    postgres,
    start,
    beginUpgrade() {
      hasNextVersion = options.database === 'postgres';
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

function fanfareFile({ environment }: SandboxProcess): string {
  return [
    'accounts:',
    `  berlin: { platform: discord, server: '${BERLIN_SERVER}' }`,
    `  club: { platform: sandbox, url: '${environment['SANDBOX_URL']}', token: \${CLUB_TOKEN} }`,
    'defaults: { streaming: twitch, social: [sandbox], discord: [discord] }',
    '',
  ].join('\n');
}
