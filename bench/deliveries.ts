import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextLoop } from 'node:timers/promises';
import { systemClock } from '#src/clock.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { createDeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import { silentLog } from '#src/log.ts';
import { hash, planSteps, type Firing } from '#src/rules/firing.ts';
import { renderStep } from '#src/rules/render.ts';
import type { Step } from '#src/rules/step.ts';
import { openStore } from '#src/store/store.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { countStatements } from './count-statements.ts';

const ACCOUNTS = 10;

/** The cost of deliveries through the delivery engine and the store on disk, to a platform that answers at once. */
export interface DeliveryFigures {
  readonly deliveriesPerSecond: number;
  readonly cpuMsPerDelivery: number;
  /** A commit is one sync of the disk. */
  readonly commitsPerDelivery: number;
  readonly statementsPerDelivery: number;
  /** System calls that write, to the database and its log. */
  readonly writesPerDelivery: number;
  /** The longest time between two rounds of the event loop. */
  readonly longestBlockMs: number;
}

/**
 * Sends one post about each of `items` items through each of ten accounts. `inMemory`: with its database in a file system in memory, whose
 * CPU time does not depend on the disk.
 */
export async function durableDeliveries({ items = 200, inMemory = false } = {}): Promise<DeliveryFigures> {
  using folder = temporaryFolder({ inMemory });
  await using store = await openStore({ file: join(folder.path, 'fanfare.sqlite') });
  const accounts = Array.from({ length: ACCOUNTS }, (_, index) => `account-${index}`);
  const nowMs = systemClock.nowMs();
  const firings = Array.from({ length: items }, (_, index) => firingFor(index, accounts, nowMs));
  for (const [rule, its] of Map.groupBy(firings, (one) => one.rule))
    await store.ruleStates.commit({ rule, slotMs: nowMs, firings: its, withdrawals: [], decisions: [] });

  const total = items * ACCOUNTS;
  const stopping = new AbortController();
  const all = Promise.withResolvers<void>();
  let sent = 0;
  let posts = 0;
  const engine = createDeliveryEngine({
    deliveries: store.deliveries,
    perform: async ({ params }) => {
      await nextLoop();
      posts += 1;
      return { id: `post-${posts}`, text: params['text'] ?? '', url: `https://social.example/@fanfare/${posts}` };
    },
    recover: () => Promise.resolve('absent'),
    render: ({ delivery: { section, account }, ...due }, results) => renderStep({ ...due, section, account, results, catalogue }),
    clock: systemClock,
    log: silentLog,
    onDelivery({ state, error }) {
      if (state === 'failed') all.reject(new Error(error?.message));
      if (state === 'sent') sent += 1;
      if (sent === total) all.resolve();
    },
  });
  using counted = countStatements();
  const writesBefore = writeCalls();
  const cpuBefore = process.cpuUsage();
  const beganMs = performance.now();
  const blocks = watchLoop();
  const running = engine.run(stopping.signal);
  await all.promise;
  const tookMs = performance.now() - beganMs;
  const { user, system } = process.cpuUsage(cpuBefore);
  const longestBlockMs = blocks();
  stopping.abort();
  await running;
  const { statements, commits } = counted;
  if (posts !== total) throw new Error(`${posts} posts were sent for ${total} deliveries`);
  return {
    deliveriesPerSecond: total / (tookMs / 1000),
    cpuMsPerDelivery: (user + system) / 1000 / total,
    commitsPerDelivery: commits / total,
    statementsPerDelivery: statements / total,
    writesPerDelivery: (writeCalls() - writesBefore) / total,
    longestBlockMs,
  };
}

function firingFor(index: number, accounts: readonly string[], atMs: number): Firing {
  const key = `streamer-${index}`;
  const rule = `live-${index % 50}`;
  const occasion = { rule, episode: `${key}@${atMs}`, section: 'then', occasion: '1' } as const;
  const step: Step = {
    do: 'social.createPost',
    creates: true,
    with: { text: '${{ item.owner.displayName }} is live with ${{ item.game.name }}: ${{ item.title }} ${{ item.url }}' },
    as: accounts,
    reads: [],
  };
  return {
    ...occasion,
    id: hash(rule, key, 'then', '1'),
    queue: `${rule}/${key}`,
    atMs,
    scope: {
      rule: { id: rule },
      now: new Date(atMs).toISOString(),
      item: {
        id: String(index),
        owner: { id: String(index), name: key, displayName: `Streamer ${index}` },
        game: { id: '7', name: 'Chess' },
        title: 'An afternoon of endgames, with a new camera and questions from the chat',
        url: `https://streaming.example/${key}`,
        tags: ['English', 'Chess', 'Strategy'],
        viewerCount: 100 + index,
        startedAt: new Date(atMs).toISOString(),
        fetchedAt: new Date(atMs).toISOString(),
      },
    },
    names: { watch: 'streaming.getStreams', per: 'item', steps: {} },
    sees: [],
    evenIfUnchanged: false,
    steps: planSteps([step], occasion),
  };
}

function writeCalls(): number {
  const [, calls] = /syscw: (\d+)/u.exec(readFileSync('/proc/self/io', 'utf8')) ?? [];
  return Number(calls);
}

/** Measures the longest time between two rounds of the event loop, until the returned function is called. */
function watchLoop(): () => number {
  let longestMs = 0;
  let lastMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
  }, 1);
  return () => {
    clearInterval(timer);
    return longestMs;
  };
}

if (import.meta.main) console.log(await durableDeliveries({ items: Number(process.argv[2] ?? 200) }));
