import { createCpuLimit } from './cluster/cpu-limit.ts';
import { startDatabase, type DatabaseCost, type MeasuredDatabase } from './cluster/database.ts';
import { deliveriesFromDatabase, deliveriesFromFile, type DeliveryRun } from './cluster/deliveries.ts';
import { latencyFromDatabase, latencyFromFile, type LatencyRun } from './cluster/latency.ts';
import type { Row } from './row.ts';

const WORKERS = [1, 2, 4];
const DELIVERIES = { accounts: 64, perAccount: 30 };
/** Few cores are enough to see what a further worker adds if each gets a part of a core only. */
const CPU_PART = 0.15;
/** So many accounts that their answers do not limit the rate. */
const SCALING = { accounts: 256, perAccount: 15, cpuPart: CPU_PART };
/** All rules post at once. */
const LATENCY = { rules: 64, rounds: 5 };
const SINGLE_POST = { rules: 1, rounds: 6 };
const SHOWN_STATEMENTS = 5;

/** The same deliveries and posts with the state in a file, and in PostgreSQL with several workers. */
export async function cluster(): Promise<readonly Row[]> {
  await using database = await startDatabase();
  const rows: Row[] = [];
  const file = await deliveriesFromFile(DELIVERIES);
  rows.push({ measure: `deliveries of ${DELIVERIES.accounts} accounts from a file`, figure: file.perSecond, unit: '/s' });
  rows.push({ measure: '  CPU of 100 deliveries', figure: cpuOfHundred(file), unit: 'ms' });
  let alone: DeliveryRun | undefined;
  for (const workers of WORKERS) {
    const run = await deliveriesFromDatabase(database, { ...DELIVERIES, workers });
    rows.push(...deliveryRows(run, { workers, file, alone }));
    alone ??= run;
  }
  rows.push(...(await scalingRows(database)));
  for (const posts of [SINGLE_POST, LATENCY]) {
    const fileLatency = await latencyFromFile(posts);
    rows.push(...latencyRows(`${posts.rules} at once, from a file`, fileLatency));
    for (const workers of WORKERS) {
      const run = await latencyFromDatabase(database, { ...posts, workers });
      rows.push(...latencyRows(`${posts.rules} at once, with ${workers} workers`, run, fileLatency));
    }
  }
  return rows;
}

/** What further workers add; no rows if this machine cannot limit the CPU time of processes. */
async function scalingRows(database: MeasuredDatabase): Promise<readonly Row[]> {
  using probe = createCpuLimit('probe', CPU_PART);
  if (!probe) return [];
  const rows: Row[] = [];
  let alone: number | undefined;
  for (const workers of WORKERS) {
    const { perSecond, database: cost, deliveries } = await deliveriesFromDatabase(database, { ...SCALING, workers });
    alone ??= perSecond;
    rows.push({
      measure: `deliveries with ${workers} workers, each with ${CPU_PART} of a core`,
      figure: perSecond,
      unit: '/s',
      peer: { name: `${workers} × one`, figure: workers * alone },
    });
    rows.push({ measure: '  CPU of 100 deliveries, database', figure: ((cost?.cpuMs ?? 0) / deliveries) * 100, unit: 'ms' });
  }
  return rows;
}

interface Beside {
  readonly workers: number;
  readonly file: DeliveryRun;
  readonly alone: DeliveryRun | undefined;
}

function deliveryRows(run: DeliveryRun, { workers, file, alone }: Beside): readonly Row[] {
  const { database, deliveries } = run;
  if (!database) return [];
  printStatements(database, deliveries);
  const cpu = cpuOfHundred(run);
  return [
    { measure: `deliveries with ${workers} workers`, figure: run.perSecond, unit: '/s', peer: { name: 'file', figure: file.perSecond } },
    ...(alone
      ? [{ measure: '  beside one worker', figure: run.perSecond, unit: '/s', peer: { name: 'one', figure: alone.perSecond } }]
      : []),
    {
      measure: '  CPU of 100 deliveries, workers',
      figure: cpu,
      unit: 'ms',
      peer: alone ? { name: 'one', figure: cpuOfHundred(alone) } : { name: 'file', figure: cpuOfHundred(file) },
    },
    {
      measure: '  CPU of 100 deliveries, database',
      figure: (database.cpuMs / deliveries) * 100,
      unit: 'ms',
      peer: alone?.database && { name: 'one', figure: (alone.database.cpuMs / deliveries) * 100 },
    },
    { measure: '  statements of a delivery', figure: database.statements / deliveries, unit: '' },
    { measure: '  transactions of a delivery', figure: database.commits / deliveries, unit: '' },
    { measure: '  syncs of a delivery', figure: database.syncs / deliveries, unit: '' },
  ];
}

function latencyRows(how: string, run: LatencyRun, file?: LatencyRun): readonly Row[] {
  const at = ({ latenciesMs }: LatencyRun, share: number): number =>
    latenciesMs[Math.floor((latenciesMs.length - 1) * share)] ?? Number.NaN;
  if (run.database) printStatements(run.database, run.slots);
  return [
    ...[0.5, 0.95, 0.99].map((share) => ({
      measure: share === 0.5 ? `answer of a poll to arrival, p50, ${how}` : `  p${share * 100}`,
      figure: at(run, share),
      unit: 'ms',
      peer: file && { name: 'file', figure: at(file, share) },
    })),
    ...(run.database
      ? [
          { measure: '  statements of a slot with a post', figure: run.database.statements / run.slots, unit: '' },
          { measure: '  transactions of a slot with a post', figure: run.database.commits / run.slots, unit: '' },
          { measure: '  CPU of a slot with a post, database', figure: run.database.cpuMs / run.slots, unit: 'ms' },
        ]
      : []),
  ];
}

function cpuOfHundred({ cpuMs, deliveries }: DeliveryRun): number {
  return (cpuMs / deliveries) * 100;
}

/** Prints the statements that take the most time. */
function printStatements({ byTime }: DatabaseCost, units: number): void {
  for (const { text, calls, totalMs } of byTime.slice(0, SHOWN_STATEMENTS))
    console.log(`  ${(totalMs / calls).toFixed(2)} ms, ${(calls / units).toFixed(2)} times each: ${text.slice(0, 110)}`);
}
