import { cpus, loadavg, totalmem } from 'node:os';
import { startDatabase, type MeasuredDatabase } from '../cluster/database.ts';
import { deliveriesFromDatabase, type DeliveryRun } from '../cluster/deliveries.ts';
import { pollChannels } from '../cluster/polls.ts';
import { formatTable } from './table.ts';

const WORKERS = [1, 2, 4];
const DELIVERIES = { accounts: 64, perAccount: 30 };
const POLLS = { rules: 500, workers: 1, minutes: 2 };
/** Two sizes tell the cost of a channel from the cost of its rule. */
const CHANNELS_PER_RULE = [10, 100] as const;
/** Above this load, other programs use the machine. */
const QUIET_LOAD = 0.5;

/** Of all schemas, with the free space in pages. */
const STORED_BYTES = `select relname as name, sum(pg_total_relation_size(oid))::float8 as bytes from pg_class
  where relname in ('firing', 'delivery', 'need') and relkind = 'r' group by relname`;
/** In the tables of measured deliveries, each firing has many. */
const DELIVERIES_PER_FIRING = 2;

interface MeasureOptions {
  readonly rounds: number;
  /** Whether to measure the polls, which takes eight minutes. */
  readonly isPolling: boolean;
}

/** Measures the constants of the model with the real program parts and a PostgreSQL whose commits survive a power failure. */
export async function measure({ rounds, isPolling }: MeasureOptions): Promise<void> {
  const [load = 0] = loadavg();
  const processors = cpus();
  console.log(`${processors.length} cores of ${processors[0]?.model.trim()}, ${Math.round(totalmem() / 1e9)} GB, Node ${process.version}`);
  if (load > QUIET_LOAD)
    console.log(`The load is ${load.toFixed(1)}: other programs use this machine, so the figures are too low. Wait, and measure again.`);
  await using database = await startDatabase();
  const [server] = await database.query<{ readonly version: string }>(`select current_setting('server_version') as version`);
  console.log(`PostgreSQL ${server?.version}, synchronous commits on ${process.platform}\n`);
  await measureDeliveries(database, rounds);
  if (isPolling) await measurePolls();
}

async function measureDeliveries(database: MeasuredDatabase, rounds: number): Promise<void> {
  const rows: (readonly string[])[] = [];
  let deliveries = 0;
  for (const workers of WORKERS) {
    const runs: DeliveryRun[] = [];
    for (let round = 0; round < rounds; round++) runs.push(await deliveriesFromDatabase(database, { ...DELIVERIES, workers }));
    deliveries += runs.reduce((sum, run) => sum + run.deliveries, 0);
    const median = (figure: (run: DeliveryRun) => number): number => middleOf(runs.map(figure));
    const transactions = (run: DeliveryRun): number => run.database?.transactions ?? 0;
    rows.push(
      [
        workers,
        Math.round(median((run) => run.perSecond)),
        Math.round(median((run) => (run.perSecond * transactions(run)) / run.deliveries)),
        median((run) => transactions(run) / run.deliveries).toFixed(1),
        median((run) => (run.database?.syncs ?? 0) / run.deliveries).toFixed(2),
        median((run) => (run.database?.cpuMs ?? 0) / transactions(run)).toFixed(3),
        median((run) => run.cpuMs / run.deliveries).toFixed(1),
      ].map(String),
    );
  }
  const head = ['workers', 'deliveries /s', 'transactions /s', 'transactions of a delivery', 'syncs of a delivery'];
  console.log(formatTable([[...head, 'CPU of the database of a transaction, ms', 'CPU of a worker of a delivery, ms'], ...rows]));
  console.log(`\nThe middle of ${rounds} rounds. The workers use the same cores as the database.\n`);
  const stored = await database.query<{ readonly name: string; readonly bytes: number }>(STORED_BYTES);
  const firings = deliveries / DELIVERIES.accounts;
  const bytes = stored.reduce((sum, one) => sum + one.bytes / (one.name === 'firing' ? firings * DELIVERIES_PER_FIRING : deliveries), 0);
  console.log(`${Math.round(bytes)} bytes of a delivery, with its indexes and half of a firing.\n`);
}

/** Measures a slot and a channel with two sizes of rules. Each size has its own database. */
async function measurePolls(): Promise<void> {
  const [small, large] = [await costOfSlot(CHANNELS_PER_RULE[0]), await costOfSlot(CHANNELS_PER_RULE[1])];
  const cpuMsPerChannel = (large.cpuMs - small.cpuMs) / (CHANNELS_PER_RULE[1] - CHANNELS_PER_RULE[0]);
  const rows = [
    ['cpuMsPerChannel', cpuMsPerChannel.toFixed(3)],
    ['cpuMsPerSlot', (small.cpuMs - cpuMsPerChannel * CHANNELS_PER_RULE[0]).toFixed(2)],
    ['transactionsPerSlot, with those of a process without work', large.transactions.toFixed(1)],
    ['CPU of the database of a slot, ms', large.databaseCpuMs.toFixed(2)],
  ];
  console.log(formatTable([['constant', 'measured'], ...rows]));
}

async function costOfSlot(
  channelsPerRule: number,
): Promise<{ readonly cpuMs: number; readonly transactions: number; readonly databaseCpuMs: number }> {
  await using database = await startDatabase();
  const minutes = await pollChannels(database, { ...POLLS, channelsPerRule });
  return {
    cpuMs: middleOf(minutes.map(({ cpuMs, slots }) => cpuMs / slots)),
    transactions: middleOf(minutes.map((minute) => minute.database.transactions / minute.slots)),
    databaseCpuMs: middleOf(minutes.map((minute) => minute.database.cpuMs / minute.slots)),
  };
}

function middleOf(figures: readonly number[]): number {
  const sorted = figures.toSorted((one, other) => one - other);
  return ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0)) / 2;
}
