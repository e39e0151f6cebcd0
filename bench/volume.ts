// Large lists, many outages and a long history: CPU, peak memory and statements.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { z } from 'zod';
import project from '../package.json' with { type: 'json' };
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { messageOf } from './child-process.ts';
import type { Row } from './row.ts';
import { Report } from './volume/cost.ts';
import { pollsOfLists } from './volume/followed-lists.ts';
import { READINGS, writeHistory } from './volume/readings.ts';

const LARGEST_POLL_MS = 50;
/** The flags of `bin/fanfare.mjs`: a compile cache, and one heap of the C library for all threads. */
const AS_STARTED = { NODE_COMPILE_CACHE: 'node_modules/.cache/fanfare', MALLOC_ARENA_MAX: '1' };

const NAMES: Readonly<Record<string, string>> = {
  totals: 'getTotals over a year with 20 streams a day',
  fewDeliveries: 'getDeliveries by rule and key, 67 of 200,000',
  mostDeliveries: 'getDeliveries by rule and key, 1,000 of 200,000',
};

/** Rules over 10,000 members and 1,000 outages, and what steps read of a year. */
export async function volume(): Promise<readonly Row[]> {
  const members = await run('members');
  const outages = await run('outages');
  return [
    ...(await rowsOfLists()),
    ...rowsOf(members, 'first', 'first poll of 10,000 members'),
    ...rowsOf(members, 'unchanged', 'poll of 10,000 members without a change', LARGEST_POLL_MS),
    peakOf(members),
    ...rowsOf(outages, 'begin', '1,000 accounts fail'),
    ...rowsOf(outages, 'known', '1,000 accounts fail again in the same minute'),
    ...rowsOf(outages, 'unchanged', '1,000 accounts fail again a minute later'),
    ...rowsOf(outages, 'end', '1,000 accounts work again'),
    ...rowsOf(outages, 'beginPoll', 'poll of 1,000 new outages, with 1,000 firings'),
    ...rowsOf(outages, 'unchangedPoll', 'poll of 1,000 outages without a change', LARGEST_POLL_MS),
    ...rowsOf(outages, 'endPoll', 'polls until 1,000 outages have ended, with 1,000 firings'),
    peakOf(outages),
    ...(await rowsOfHistory()),
  ];
}

async function rowsOfLists(): Promise<readonly Row[]> {
  const { cpuMsPerPoll, statementsPerPoll, peakMb, idleCpuMsPerMinute } = await pollsOfLists();
  return [
    { measure: 'poll of 10,000 streamers in ten lists, the program: CPU with 100 requests', figure: cpuMsPerPoll, unit: 'ms' },
    { measure: '  statements', figure: statementsPerPoll, unit: '' },
    { measure: '  CPU of a minute without a poll', figure: idleCpuMsPerMinute, unit: 'ms' },
    { measure: '  peak of the memory', figure: peakMb, unit: 'MB' },
  ];
}

async function rowsOfHistory(): Promise<readonly Row[]> {
  using folder = temporaryFolder();
  const file = join(folder.path, 'history.sqlite');
  writeHistory(file);
  const rows: Row[] = [];
  for (const name of Object.keys(READINGS)) {
    const made = await run('history', name, file);
    rows.push(...rowsOf(made, 'first', NAMES[name] ?? name), { ...cpuOf(made, 'repeated'), measure: '  CPU when repeated' }, peakOf(made));
  }
  return rows;
}

type Made = z.output<typeof Report>;

function rowsOf(made: Made, cost: string, measure: string, atMost?: number): readonly Row[] {
  return [
    { ...cpuOf(made, cost), measure: `${measure}: CPU`, ...(atMost !== undefined && { aim: { atMost } }) },
    { measure: '  statements', figure: made.costs[cost]?.statements ?? Number.NaN, unit: '' },
  ];
}

function cpuOf({ costs }: Made, cost: string): Omit<Row, 'measure'> {
  return { figure: costs[cost]?.cpuMs ?? Number.NaN, unit: 'ms' };
}

function peakOf({ peakMb }: Made): Row {
  return { measure: '  peak of the memory', figure: peakMb, unit: 'MB' };
}

/** Runs a part in a new process with the flags of Fanfare, so that no part adds to the memory of another one. */
async function run(part: string, ...args: readonly string[]): Promise<Made> {
  const execArgv = project.scripts.start.split(' ').filter((word) => word.startsWith('--max'));
  const child = fork(`bench/volume/${part}.ts`, args, { execArgv, env: { ...process.env, ...AS_STARTED } });
  return Report.parse(await messageOf(child));
}
