import { fork, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'undici';
import { z } from 'zod';
import { bundleInto } from '../bin/bundle.mjs';
import type { Row } from './row.ts';

const Server = z.object({ url: z.string(), environment: z.record(z.string(), z.string()) });
const Reading = z.object({ rows: z.int(), tookMs: z.number(), cpuMs: z.number(), peakMb: z.number() });
const Requests = z.object({ reads: z.int() });

const ROUNDS = 5;
const LEAST_WARM_UP_PAGES = 1_000;
const WALKS = [
  { pages: 1, walks: 1000 },
  { pages: 100, walks: 20 },
];
/** Both clients as JavaScript, bundled like the library in the package. Types that Node strips would cost 60 MB of the peak. */
const BUNDLE = 'node_modules/.cache/bench-bot';
/** The compile cache of `bin/fanfare.mjs`. */
const NODE_COMPILE_CACHE = 'node_modules/.cache/fanfare';

interface Result extends z.output<typeof Reading> {
  readonly requests: number;
}

/** The walks of both clients with this number of pages each. */
interface Comparison {
  readonly pages: number;
  readonly walks: number;
  readonly bot: Result;
  readonly twurple: Result;
  /** A program that only sends the requests and parses the responses; absent if it was not asked for. */
  readonly least: Result | undefined;
}

/** Compares `Bot` with @twurple/api on one sandbox; each figure is the best of the rounds. */
export async function readBesideTwurple({ rounds = ROUNDS, withLeast = false } = {}): Promise<readonly Comparison[]> {
  await bundleInto(BUNDLE, { client: 'bench/bot-client.ts' }, { external: ['@twurple/api', '@twurple/auth', 'zod'], isReadable: true });
  const serving = fork('bench/bot-server.ts');
  const server = Server.parse(await messageOf(serving));
  const comparisons: Comparison[] = [];
  for (const { pages, walks } of WALKS) {
    const ours: Result[] = [];
    const theirs: Result[] = [];
    const least: Result[] = [];
    // The clients alternate, so that other load on the machine affects both.
    for (let round = 0; round < rounds; round++) {
      // The peak depends on the phase of the garbage collection, by up to 30 %, so each round begins at another one.
      const warmUpPages = LEAST_WARM_UP_PAGES + 100 * randomInt(10);
      ours.push(await read('fanfare', { pages, walks, warmUpPages }, server));
      theirs.push(await read('twurple', { pages, walks, warmUpPages }, server));
      if (withLeast) least.push(await read('least', { pages, walks, warmUpPages }, server));
    }
    const [bot, twurple] = [best(ours), best(theirs)];
    if (bot.rows !== twurple.rows) throw new Error(`Bot read ${bot.rows} rows and @twurple/api ${twurple.rows}`);
    comparisons.push({ pages, walks, bot, twurple, least: withLeast ? best(least) : undefined });
  }
  serving.kill();
  return comparisons;
}

/** CPU, pages per second, peak memory and requests of `Bot` and @twurple/api. */
export async function botBesideTwurple(): Promise<readonly Row[]> {
  const comparisons = await readBesideTwurple({ withLeast: true });
  return comparisons.flatMap(({ pages, walks, bot, twurple, least }) => {
    const count = pages * walks;
    const row = (measure: string, unit: string, of: (result: Result) => number, aim: Row['aim'], client = bot): Row => ({
      measure: `${measure}, walks of ${pages === 1 ? '1 page' : `${pages} pages`}`,
      figure: of(client),
      unit,
      peer: { name: '@twurple/api', figure: of(twurple) },
      aim,
    });
    const cpuMs = (result: Result): number => (result.cpuMs / count) * 1000;
    return [
      row('CPU of 1,000 pages', 'ms', cpuMs, undefined),
      row('CPU of 1,000 pages, only requests and JSON.parse', 'ms', cpuMs, undefined, least),
      row('time of 1,000 pages', 'ms', ({ tookMs }) => (tookMs / count) * 1000, { ratioAtMost: pages === 1 ? 1 / 2 : 1 / 1.5 }),
      row('peak memory', 'MB', ({ peakMb }) => peakMb, { ratioAtMost: 1 }),
      row('requests', '', ({ requests }) => requests, { ratioAtMost: 1 }),
    ];
  });
}

interface Walks extends Pick<Comparison, 'pages' | 'walks'> {
  readonly warmUpPages: number;
}

async function read(client: string, { pages, walks, warmUpPages }: Walks, { url, environment }: z.output<typeof Server>): Promise<Result> {
  const before = await requestsTo(url);
  const env = { ...process.env, ...environment, TWURPLE_MOCK_API_PORT: new URL(url).port, NODE_COMPILE_CACHE };
  const child = fork(`${BUNDLE}/client.js`, [client, ...[pages, walks, warmUpPages].map(String)], { env });
  const reading = Reading.parse(await messageOf(child));
  await once(child, 'exit');
  return { ...reading, requests: (await requestsTo(url)) - before };
}

async function requestsTo(url: string): Promise<number> {
  const { body } = await request(`${url}/reads`);
  return Requests.parse(await body.json()).reads;
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  const [message] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`a process of the benchmark ended with ${code}`);
    }),
  ])) as [unknown]; // a message comes as one argument
  return message;
}

function best(results: readonly Result[]): Result {
  const [first] = results;
  if (!first) throw new Error('nothing was read');
  const least = (of: (result: Result) => number): number => Math.min(...results.map(of));
  return {
    ...first,
    tookMs: least(({ tookMs }) => tookMs),
    cpuMs: least(({ cpuMs }) => cpuMs),
    peakMb: least(({ peakMb }) => peakMb),
  };
}
