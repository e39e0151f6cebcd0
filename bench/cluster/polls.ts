import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSandbox } from '#sandbox/index.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { cpuMsOf, end, startFanfare } from '../child-process.ts';
import type { DatabaseCost, MeasuredDatabase } from './database.ts';
import { startHelix } from './helix.ts';

const MINUTE_MS = 60_000;
/** The slots of a minute have ended by then. */
const MIDDLE_MS = 45_000;
const START_TIMEOUT_MS = 300_000;

export interface PollsOptions {
  readonly rules: number;
  /** The channels that each rule watches every minute. */
  readonly channelsPerRule?: number | undefined;
  readonly workers: number;
  readonly minutes: number;
}

/** The polls of one minute. */
export interface PolledMinute {
  readonly requests: number;
  readonly channels: number;
  /** Rules that committed a slot in this minute. */
  readonly slots: number;
  /** From the slot to the first and the last request and commit. */
  readonly lastRequestMs: number;
  readonly firstCommitMs: number;
  readonly lastCommitMs: number;
  /** CPU time of all workers. */
  readonly cpuMs: number;
  readonly database: DatabaseCost;
}

/** Runs the program with many channels, and measures minutes from middle to middle. */
export async function pollChannels(
  database: MeasuredDatabase,
  { rules, channelsPerRule = 100, workers, minutes }: PollsOptions,
): Promise<readonly PolledMinute[]> {
  using folder = temporaryFolder();
  await using helix = await startHelix();
  await using sandbox = await startSandbox({});
  const path = writeRules(folder.path, { rules, channelsPerRule });
  const others = Object.fromEntries(Object.entries(sandbox.environment).filter(([name]) => name.startsWith('SANDBOX_')));
  const children = Array.from({ length: workers }, (_, index) =>
    startFanfare({
      ...others,
      ...helix.environment,
      PORT: '0',
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'error',
      DATABASE_URL: database.server.url,
      FANFARE_DATA: join(folder.path, `data-${index}`),
      FANFARE_RULES: path,
      FANFARE_KEY: 'key-of-the-benchmark-of-many-workers',
      FANFARE_WORKER: `worker-${index}`,
    }),
  );
  try {
    // The first polls of new rules are not on the grid.
    const startMs = Date.now();
    while (polledChannels() < rules * channelsPerRule) {
      if (Date.now() - startMs > START_TIMEOUT_MS) throw new Error(`only ${polledChannels()} channels of ${rules} rules were polled`);
      await sleep(500);
    }
    const measured: PolledMinute[] = [];
    await untilMiddle();
    for (let minute = 0; minute < minutes; minute++) {
      await database.reset();
      const cpuBefore = cpu();
      const from = helix.seen.length;
      await sleep(MIDDLE_MS);
      await untilMiddle();
      const seen = helix.seen.slice(from);
      const slotMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
      const cost = await database.read();
      measured.push({
        requests: seen.length,
        channels: seen.reduce((sum, { channels }) => sum + channels, 0),
        lastRequestMs: Math.max(...seen.map(({ atMs }) => atMs)) - slotMs,
        ...(await commitsOf(database, slotMs)),
        cpuMs: cpu() - cpuBefore,
        database: cost,
      });
    }
    return measured;
  } finally {
    await Promise.all(children.map(end));
  }

  function polledChannels(): number {
    return helix.seen.reduce((sum, { channels }) => sum + channels, 0);
  }

  function cpu(): number {
    return children.reduce((sum, { pid }) => sum + cpuMsOf(pid ?? 0), 0);
  }
}

/** Waits for the next middle of a minute of the clock. */
async function untilMiddle(): Promise<void> {
  await sleep((((MIDDLE_MS - (Date.now() % MINUTE_MS)) % MINUTE_MS) + MINUTE_MS) % MINUTE_MS);
}

/** The slots of an instant and the times of their commits, which the database keeps. */
async function commitsOf(
  database: MeasuredDatabase,
  slotMs: number,
): Promise<Pick<PolledMinute, 'slots' | 'firstCommitMs' | 'lastCommitMs'>> {
  const [row] = await database.query<{ readonly slots: number; readonly first: number; readonly last: number }>(`
    select count(*)::int as slots,
      (extract(epoch from min(pg_xact_commit_timestamp(xmin))) * 1000 - ${slotMs})::float8 as first,
      (extract(epoch from max(pg_xact_commit_timestamp(xmin))) * 1000 - ${slotMs})::float8 as last
    from fanfare.rule_state where slot_ms = ${slotMs}`);
  return { slots: row?.slots ?? 0, firstCommitMs: row?.first ?? Number.NaN, lastCommitMs: row?.last ?? Number.NaN };
}

function writeRules(folder: string, { rules, channelsPerRule }: { readonly rules: number; readonly channelsPerRule: number }): string {
  const path = join(folder, 'rules');
  mkdirSync(path);
  for (let index = 0; index < rules; index++) {
    const users = Array.from({ length: channelsPerRule }, (_, place) => `channel${index * channelsPerRule + place}`);
    const rule = `
id: live-${index}
when:
  every: 60s
  watch: streaming.getStreams
  with: { users: [${users.join(', ')}] }
then:
  - do: social.createPost
    with: { text: "\${{ item.owner.displayName }} is live \${{ item.url }}" }
`;
    writeFileSync(join(path, `live-${index}.yaml`), rule);
  }
  return path;
}
