// Rows of the figures that other files measure.
import { durableDeliveries } from './deliveries.ts';
import { postLatency } from './latency.ts';
import { pollsOfTheJob } from './polls.ts';
import { processDeliveries } from './process-deliveries.ts';
import { readingBesidePeers } from './reading.ts';
import { requestsForPosts } from './requests.ts';
import type { Row } from './row.ts';
import { runProgram } from './rules-program.ts';

const DELIVERY_ROUNDS = 3;

/** Durable deliveries. The fastest of several rounds, because other load on the machine slows single rounds. */
export async function deliveries(): Promise<readonly Row[]> {
  const rounds = [];
  for (let round = 0; round < DELIVERY_ROUNDS; round++) rounds.push(await durableDeliveries());
  const [best] = rounds.toSorted((a, b) => b.deliveriesPerSecond - a.deliveriesPerSecond);
  if (!best) throw new Error('nothing was delivered');
  return [
    {
      measure: 'deliveries per second of the delivery engine, ten accounts',
      figure: best.deliveriesPerSecond,
      unit: '/s',
      aim: { atLeast: 2000 },
    },
    { measure: '  CPU of a delivery', figure: best.cpuMsPerDelivery, unit: 'ms' },
    { measure: '  commits of a delivery, each with a sync', figure: best.commitsPerDelivery, unit: '' },
    { measure: '  statements of a delivery', figure: best.statementsPerDelivery, unit: '' },
    { measure: '  writes of a delivery', figure: best.writesPerDelivery, unit: '' },
    { measure: '  longest wait of the event loop', figure: best.longestBlockMs, unit: 'ms' },
  ];
}

/** Deliveries of the real process: 1,000 items at once, through one account of a server that answers after a millisecond. */
export async function deliveriesOfProcess(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const inMemory of [false, true]) {
    const rounds = [];
    for (let round = 0; round < DELIVERY_ROUNDS; round++) rounds.push(await processDeliveries({ inMemory }));
    const [best] = rounds.toSorted((a, b) => b.deliveriesPerSecond - a.deliveriesPerSecond);
    if (!best) throw new Error('nothing was delivered');
    const where = inMemory ? ', without a disk' : '';
    rows.push(
      {
        measure: `deliveries per second of the process, one account${where}`,
        figure: best.deliveriesPerSecond,
        unit: '/s',
        aim: { atLeast: 1000 },
      },
      { measure: `  CPU of a delivery${where}`, figure: best.cpuMsPerDelivery, unit: 'ms' },
    );
  }
  return rows;
}

/** The time from the answer of a poll to the post of a stream that went live, with the sandbox in this process. */
export async function latency(): Promise<readonly Row[]> {
  const { medianMs, longestMs, latenciesMs } = await postLatency();
  return [
    { measure: 'latency of a post after its stream went live', figure: medianMs, unit: 'ms', aim: { atMost: 4 } },
    { measure: `  longest of ${latenciesMs.length}`, figure: longestMs, unit: 'ms' },
  ];
}

/** The requests of posts on X. */
export async function requests(): Promise<readonly Row[]> {
  const { posts, writes, reads } = await requestsForPosts();
  // The first post looks up the account.
  return [{ measure: `requests of ${posts} posts on X`, figure: writes + reads, unit: '', aim: { atMost: posts + 1 } }];
}

/** Posts that Fanfare and the clients of the networks read. */
export async function reading(): Promise<readonly Row[]> {
  return (await readingBesidePeers()).flatMap(({ network, fanfare, peer }) => [
    {
      measure: `CPU to read 1,000 posts on ${network}`,
      figure: fanfare.warmMs,
      unit: 'ms',
      peer: { name: peer.client, figure: peer.warmMs },
      aim: { ratioAtMost: 1 },
    },
    {
      measure: '  the first time in a process',
      figure: fanfare.coldMs,
      unit: 'ms',
      peer: { name: peer.client, figure: peer.coldMs },
      aim: { ratioAtMost: 1 },
    },
  ]);
}

/** Another job than `job`: the sandbox's ranking of all streams, and a process that only waits. */
export async function polls(): Promise<readonly Row[]> {
  const { polls: count, posts, cpuMs, idleMsPerMinute } = await pollsOfTheJob();
  return [
    { measure: `CPU of ${count} polls of 100 streams, ${posts} posts`, figure: cpuMs, unit: 'ms' },
    { measure: '  CPU of a minute without a poll', figure: idleMsPerMinute, unit: 'ms' },
  ];
}

/** The real program with many rules every five minutes. */
export async function program(): Promise<readonly Row[]> {
  // Few rules leave a core free.
  const few = await Promise.all([100, 1_000].map((rules) => measureProgram({ rules, grids: 1 })));
  return [...few.flat(), ...(await measureProgram({ rules: 10_000, grids: 2 }))];
}

async function measureProgram({ rules, grids }: { readonly rules: number; readonly grids: number }): Promise<readonly Row[]> {
  const { firstPollMs, firstPollCpuMs, cpuShares, peakMb } = await runProgram({ rules, grids });
  const hasAim = rules === 10_000;
  return [
    {
      measure: `${rules.toLocaleString('en')} rules every 5m, of one core`,
      figure: (cpuShares.at(-1) ?? Number.NaN) * 100,
      unit: '%',
      aim: hasAim ? { atMost: 6 } : undefined,
    },
    { measure: '  memory at the peak', figure: peakMb, unit: 'MB', aim: hasAim ? { atMost: 200 } : undefined },
    { measure: '  time to the first poll', figure: firstPollMs / 1000, unit: 's', aim: hasAim ? { atMost: 2 } : undefined },
    { measure: '  CPU to the first poll', figure: firstPollCpuMs, unit: 'ms' },
  ];
}
