// Streamers that sharded Discord servers follow: two processes on one database, one of which is killed while it sends cards.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import { startSandbox, type Sandbox } from '#sandbox/index.ts';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { cpuMsOf, end, memoryOf, startFanfare } from './child-process.ts';
import { startDatabase, type DatabaseCost, type MeasuredDatabase } from './cluster/database.ts';
import { startHelix } from './cluster/helix.ts';
import {
  createFolders,
  createServers,
  storeServers,
  FOLLOWS,
  isLiveFirst,
  writeFiles,
  writeLists,
  type Server,
} from './follows/servers.ts';
import type { Row } from './row.ts';

const SERVERS = Number(process.env['FOLLOWS_SERVERS'] ?? 2_500);
const SHARDS = 4;
const WORKERS = 2;
const MINUTE_MS = 60_000;
/** The second poll fills the caches. */
const WARM_MS = Number(process.env['FOLLOWS_WARM_MS'] ?? 150_000);
const MEASURED_MINUTES = Number(process.env['FOLLOWS_MINUTES'] ?? 3);
const TIMEOUT_MS = 15 * MINUTE_MS;
const CHECK_MS = 250;
const PAGE = 1_000;
/** A worker is killed after this part of the cards. */
const KILLED_AFTER = 0.3;

const Shards = z.object({ shards: z.array(z.tuple([z.int(), z.int()])) });
const Messages = z.object({ items: z.array(z.object({ id: z.string(), content: z.string(), channel: z.object({ id: z.string() }) })) });

/** What one process costs. */
interface Worker {
  readonly cpuMsPerMinute: number;
  readonly privateMb: number;
  readonly peakMb: number;
}

interface Measures {
  readonly workers: readonly Worker[];
  readonly requestsPerMinute: number;
  readonly databaseCpuMsPerMinute: number;
  readonly statementsPerMinute: number;
  readonly cards: Cards;
}

/** The cards of streamers who went live at once, while one of the workers is killed. */
interface Cards {
  /** Servers without their card. */
  readonly missing: number;
  /** Cards beyond the first one of a server. */
  readonly twice: number;
  /** From the kill until the other worker runs all shards. */
  readonly shardsMs: number;
  /** From the kill until the last card. */
  readonly lastMs: number;
}

/** 2,500 Discord servers on four shards that follow 50 streamers each, on two processes: with lists, and beside it with one rule file for each server. */
export async function clusterFollows(): Promise<readonly Row[]> {
  const lists = await measure('lists');
  const files = await measure('files');
  const beside = (measure: string, unit: string, of: (measures: Measures) => number): Row => ({
    measure,
    unit,
    figure: of(lists),
    peer: { name: 'files', figure: of(files) },
  });
  const each = (measure: string, unit: string, of: (worker: Worker) => number): readonly Row[] =>
    lists.workers.map((_, index) => beside(`${measure}, worker ${index + 1}`, unit, ({ workers }) => of(workers[index] ?? fail())));
  return [
    {
      ...beside(`CPU a minute of ${WORKERS} workers, ${SERVERS.toLocaleString('en')} servers with ${FOLLOWS} follows`, 'ms', cpuOf),
      aim: { ratioAtMost: 1 },
    },
    ...each('  CPU a minute', 'ms', ({ cpuMsPerMinute }) => cpuMsPerMinute),
    beside('  CPU a minute, database', 'ms', ({ databaseCpuMsPerMinute }) => databaseCpuMsPerMinute),
    beside('  statements a minute', '', ({ statementsPerMinute }) => statementsPerMinute),
    beside('  requests to Twitch a minute', '', ({ requestsPerMinute }) => requestsPerMinute),
    ...each('  memory', 'MB', ({ privateMb }) => privateMb),
    ...each('  peak of the memory', 'MB', ({ peakMb }) => peakMb),
    { ...beside('  servers without their card after a kill', '', ({ cards }) => cards.missing), aim: { atMost: 0 } },
    { ...beside('  cards sent twice after a kill', '', ({ cards }) => cards.twice), aim: { atMost: 0 } },
    beside('  from the kill until the other worker has all shards', 'ms', ({ cards }) => cards.shardsMs),
    beside('  from the kill until the last card', 'ms', ({ cards }) => cards.lastMs),
  ];
}

function cpuOf({ workers }: Measures): number {
  return workers.reduce((sum, { cpuMsPerMinute }) => sum + cpuMsPerMinute, 0);
}

function fail(): never {
  throw new Error('both runs have the same workers');
}

async function measure(how: 'lists' | 'files'): Promise<Measures> {
  using folder = temporaryFolder();
  const live = new Set<string>();
  await using helix = await startHelix({ isLive: (handle) => isLiveFirst(handle) || live.has(handle) });
  await using sandbox = await startSandbox({});
  await order(sandbox, '/discord/sharding', { shards: SHARDS, maxConcurrency: SHARDS });
  await using database = await startDatabase();
  const servers = await createServers(sandbox, SERVERS);
  createFolders(folder.path);
  {
    await using store = await openPostgresStore({ url: database.server.url });
    await storeServers(store, servers);
    await (how === 'lists' ? writeLists(store, servers) : writeFiles(folder.path, servers));
  }
  const { DISCORD_TOKEN = '', DISCORD_GUILD_ID = '', DISCORD_API_URL = '' } = sandbox.environment;
  const children = Array.from({ length: WORKERS }, (_, index) =>
    startFanfare({
      FANFARE_DATA: join(folder.path, `data/${index}`),
      FANFARE_RULES: join(folder.path, 'rules'),
      FANFARE_KEY: 'key-of-the-benchmark-of-many-workers',
      FANFARE_WORKER: `worker-${index}`,
      DATABASE_URL: database.server.url,
      PORT: '0',
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'error',
      DISCORD_TOKEN,
      DISCORD_GUILD_ID,
      DISCORD_API_URL,
      ...helix.environment,
    }),
  );
  try {
    await until('the first poll', () => helix.seen.length > 0);
    await until('the shards', async () => (await shardsOf(sandbox)) === SHARDS);
    await sleep(WARM_MS);
    const idle = await measureMinutes(children, database, () => helix.seen.length + helix.others());
    console.log(how, idle);
    for (const { only } of servers) live.add(only);
    const cards = await killWhileSending(children, sandbox, servers);
    console.log(how, cards);
    return { ...idle, cards };
  } finally {
    await Promise.all(children.map(end));
  }
}

async function measureMinutes(
  children: readonly ChildProcess[],
  database: MeasuredDatabase,
  requestsNow: () => number,
): Promise<Omit<Measures, 'cards'>> {
  await database.reset();
  const cpuMs = children.map(({ pid = 0 }) => cpuMsOf(pid));
  const requests = requestsNow();
  await sleep(MEASURED_MINUTES * MINUTE_MS);
  const cost = await database.read();
  printStatements(cost);
  return {
    requestsPerMinute: (requestsNow() - requests) / MEASURED_MINUTES,
    databaseCpuMsPerMinute: cost.cpuMs / MEASURED_MINUTES,
    statementsPerMinute: cost.statements / MEASURED_MINUTES,
    workers: children.map(({ pid = 0 }, index) => {
      const { privateMb, peakMb } = memoryOf(pid);
      return { cpuMsPerMinute: (cpuMsOf(pid) - (cpuMs[index] ?? 0)) / MEASURED_MINUTES, privateMb, peakMb };
    }),
  };
}

/** Kills one worker while both send a card to each server. */
async function killWhileSending(children: readonly ChildProcess[], sandbox: Sandbox, servers: readonly Server[]): Promise<Cards> {
  const cards = cardsIn(sandbox);
  await until('the first cards', async () => (await cards()).size >= servers.length * KILLED_AFTER);
  const [killed] = children;
  if (!killed) throw new Error('no worker runs');
  const ended = once(killed, 'exit');
  killed.kill('SIGKILL');
  await ended;
  const killedMs = performance.now();
  let [shardsMs, lastMs] = [Number.NaN, Number.NaN];
  await until('the shards and the cards', async () => {
    if (Number.isNaN(shardsMs) && (await shardsOf(sandbox)) === SHARDS) shardsMs = performance.now() - killedMs;
    if (Number.isNaN(lastMs) && (await cards()).size >= servers.length) lastMs = performance.now() - killedMs;
    return !Number.isNaN(shardsMs + lastMs);
  });
  // A second card would arrive with one of the next polls.
  await sleep(MINUTE_MS * 1.5);
  const byChannel = await cards();
  const counts = servers.map(({ channel }) => byChannel.get(channel) ?? 0);
  return {
    missing: counts.filter((count) => count === 0).length,
    twice: counts.reduce((sum, count) => sum + Math.max(0, count - 1), 0),
    shardsMs,
    lastMs,
  };
}

/** Counts the cards of each channel. The sandbox keeps the newest messages only, so each call reads those since the last one. */
function cardsIn(sandbox: Sandbox): () => Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  let cursor = '0';
  return async () => {
    for (;;) {
      const { items } = Messages.parse(await order(sandbox, `/messages?limit=${PAGE}&cursor=${cursor}`));
      for (const { content, channel } of items) if (content.includes('is live')) counts.set(channel.id, (counts.get(channel.id) ?? 0) + 1);
      cursor = items.at(-1)?.id ?? cursor;
      if (items.length < PAGE) return counts;
    }
  };
}

async function shardsOf(sandbox: Sandbox): Promise<number> {
  const { shards } = Shards.parse(await order(sandbox, '/discord'));
  return new Set(shards.map(([id]) => id)).size;
}

async function order(sandbox: Sandbox, path: string, body?: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const sent = body && ({ method: 'POST', headers, body: JSON.stringify(body) } as const);
  return (await request(`${sandbox.url}/control${path}`, sent)).body.json();
}

async function until(what: string, isReached: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + TIMEOUT_MS;
  while (!(await isReached())) {
    if (performance.now() > endMs) throw new Error(`${what}: not after ${TIMEOUT_MS / MINUTE_MS} minutes`);
    await sleep(CHECK_MS);
  }
}

function printStatements({ byTime }: DatabaseCost): void {
  for (const { text, calls, totalMs } of byTime.slice(0, 8))
    console.log(`  ${totalMs.toFixed(0)} ms, ${calls} times: ${text.slice(0, 140)}`);
}
