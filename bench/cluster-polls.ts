import { startDatabase } from './cluster/database.ts';
import { pollChannels, type PolledMinute } from './cluster/polls.ts';
import type { Row } from './row.ts';

const RULES = 1_000;
const MINUTES = 2;
const WORKERS = 2;

/** The requests of two processes that watch 100,000 channels in 1,000 rules every minute. */
export async function clusterPolls(): Promise<readonly Row[]> {
  await using database = await startDatabase();
  const minutes = await pollChannels(database, { rules: RULES, workers: WORKERS, minutes: MINUTES });
  return minutes.flatMap(rowsOf);
}

function rowsOf(minute: PolledMinute, index: number): readonly Row[] {
  const { requests, channels, slots, lastRequestMs, firstCommitMs, lastCommitMs, cpuMs, database } = minute;
  const fewest = { name: 'fewest', figure: RULES };
  return [
    { measure: `requests of minute ${index + 1} for ${channels} channels`, figure: requests, unit: '', peer: fewest },
    { measure: '  rules that committed the slot', figure: slots, unit: '', peer: fewest },
    { measure: '  from the slot to the last request', figure: lastRequestMs, unit: 'ms' },
    { measure: '  from the slot to the first commit', figure: firstCommitMs, unit: 'ms' },
    { measure: '  from the slot to the last commit', figure: lastCommitMs, unit: 'ms' },
    { measure: `  CPU of ${WORKERS} workers`, figure: cpuMs, unit: 'ms' },
    { measure: '  CPU of the database', figure: database.cpuMs, unit: 'ms' },
    { measure: '  statements of a slot', figure: database.statements / slots, unit: '' },
    { measure: '  transactions of a slot', figure: database.commits / slots, unit: '' },
  ];
}
