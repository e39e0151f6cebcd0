import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'undici';
import { z } from 'zod';

const Server = z.object({ url: z.string(), environment: z.record(z.string(), z.string()) });
const Reading = z.object({ rows: z.int(), tookMs: z.number(), peakMb: z.number() });
const Requests = z.object({ reads: z.int() });

const ROUNDS = 5;
const WALKS = [
  { pages: 1, walks: 1000 },
  { pages: 100, walks: 20 },
];
const LEAST_RATIO = 1.5;
/** The compile cache of `bin/fanfare.mjs`. */
const NODE_COMPILE_CACHE = 'node_modules/.cache/fanfare';

interface Result extends z.output<typeof Reading> {
  readonly requests: number;
}

/** Compares `Bot` with @twurple/api on one sandbox: pages per second and peak memory. */
export async function botBesideTwurple(): Promise<void> {
  const serving = fork('bench/bot-server.ts');
  const server = Server.parse(await messageOf(serving));

  for (const { pages, walks } of WALKS) {
    const ours: Result[] = [];
    const theirs: Result[] = [];
    // The clients alternate, so that other load on the machine affects both.
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await read('fanfare', pages, walks, server));
      theirs.push(await read('twurple', pages, walks, server));
    }
    const [bot, twurple] = [best(ours), best(theirs)];
    const ratio = twurple.tookMs / bot.tookMs;
    print(`${pages} page(s), Bot`, bot, pages * walks);
    print(`${pages} page(s), @twurple/api`, twurple, pages * walks);
    console.log(`  throughput ratio ${ratio.toFixed(2)}   limit ${LEAST_RATIO}`);
    const good = ratio >= LEAST_RATIO && bot.requests <= twurple.requests && bot.peakMb <= twurple.peakMb && bot.rows === twurple.rows;
    if (!good) process.exitCode = 1;
  }
  serving.kill();
}

async function read(client: string, pages: number, walks: number, { url, environment }: z.output<typeof Server>): Promise<Result> {
  const before = await requestsTo(url);
  const env = { ...process.env, ...environment, TWURPLE_MOCK_API_PORT: new URL(url).port, NODE_COMPILE_CACHE };
  const child = fork('bench/bot-client.ts', [client, String(pages), String(walks)], { env });
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
  const peakMb = Math.min(...results.map((result) => result.peakMb));
  const [fastest] = results.toSorted((a, b) => a.tookMs - b.tookMs);
  if (!fastest) throw new Error('nothing was read');
  return { ...fastest, peakMb };
}

function print(what: string, { requests, tookMs, peakMb }: Result, pages: number): void {
  const speed = (pages / tookMs) * 1000;
  console.log(
    `${what.padEnd(28)} ${requests} reads ${speed.toFixed(0).padStart(6)} pages/s ${peakMb.toFixed(0).padStart(5)} MB at the peak`,
  );
}
