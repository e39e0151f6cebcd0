import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import { medianOf } from './median.ts';

const Server = z.object({ url: z.string() });
const Walks = z.object({ posts: z.int(), cpuMs: z.array(z.number()) });

const ROUNDS = 5;
const WALKS = 40;
/** The first walks of a process compile its code. */
const WARM_UP = 20;
/** The compile cache of `bin/fanfare.mjs`. */
const NODE_COMPILE_CACHE = 'node_modules/.cache/fanfare';

/** The processor time of one client for a thousand posts, in milliseconds: the first time in a process, and later. */
export interface ReadingFigures {
  readonly client: string;
  readonly coldMs: number;
  readonly warmMs: number;
}

/** A client of Fanfare and the client of the network. */
export interface ReadingPair {
  readonly network: string;
  readonly fanfare: ReadingFigures;
  readonly peer: ReadingFigures;
}

/** Compares the processor time to read a thousand posts on X and Bluesky with twitter-api-v2 and @atproto/api. */
export async function readingBesidePeers(rounds: number = ROUNDS): Promise<readonly ReadingPair[]> {
  const server = fork('bench/reading-server.ts');
  const { url } = Server.parse(await messageOf(server));
  try {
    return [await pairOf('x', 'twitter-api-v2', url, rounds), await pairOf('bluesky', '@atproto/api', url, rounds)];
  } finally {
    server.kill();
  }
}

async function pairOf(network: string, peer: string, url: string, rounds: number): Promise<ReadingPair> {
  const [ours, theirs]: [number[][], number[][]] = [[], []];
  // The clients alternate, so that other load on the machine affects both.
  for (let round = 0; round < rounds; round++) {
    ours.push(await walksOf(network, url));
    theirs.push(await walksOf(peer, url));
  }
  return { network, fanfare: figuresOf(network, ours), peer: figuresOf(peer, theirs) };
}

async function walksOf(client: string, url: string): Promise<number[]> {
  const child = fork('bench/reading-client.ts', [client, url, String(WALKS)], { env: { ...process.env, NODE_COMPILE_CACHE } });
  const { posts, cpuMs } = Walks.parse(await messageOf(child));
  if (posts !== 1000) throw new Error(`${client} read ${posts} of 1000 posts`);
  return cpuMs;
}

function figuresOf(client: string, rounds: readonly number[][]): ReadingFigures {
  return {
    client,
    coldMs: medianOf(rounds.map(([first = Number.NaN]) => first)),
    warmMs: medianOf(rounds.map((walks) => medianOf(walks.slice(WARM_UP)))),
  };
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  const [message] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`a process of the benchmark ended early with ${code}`);
    }),
  ])) as [unknown]; // `message` has one argument
  return message;
}
