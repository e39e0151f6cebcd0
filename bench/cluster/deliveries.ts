import { join } from 'node:path';
import { silentLog } from '#src/log.ts';
import { hash, planSteps, type Firing } from '#src/rules/firing.ts';
import { openCluster } from '#src/store/postgres/cluster.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import type { DatabaseCost, MeasuredDatabase } from './database.ts';
import { accountNames, type Report, type Task } from './orders.ts';
import { runWorkers } from './workers.ts';

export interface DeliveriesOptions {
  readonly accounts: number;
  readonly perAccount: number;
  /** The part of a core that each worker gets; undefined: no limit. */
  readonly cpuPart?: number | undefined;
}

/** The cost of stored deliveries. */
export interface DeliveryRun {
  readonly deliveries: number;
  readonly perSecond: number;
  /** CPU time of the workers. */
  readonly cpuMs: number;
  readonly database?: DatabaseCost | undefined;
}

/** Sends stored deliveries from a file, in one process. */
export async function deliveriesFromFile(options: DeliveriesOptions): Promise<DeliveryRun> {
  using folder = temporaryFolder();
  const file = join(folder.path, 'fanfare.sqlite');
  {
    await using store = await openStore({ file });
    await storeDeliveries(store, Date.now(), options);
  }
  return await run([{ name: 'one', state: { file }, accounts: options.accounts }], options);
}

/** Sends stored deliveries from PostgreSQL, with several workers. */
export async function deliveriesFromDatabase(
  database: MeasuredDatabase,
  { workers, ...options }: DeliveriesOptions & { readonly workers: number },
): Promise<DeliveryRun> {
  const state = { url: database.server.url, schema: database.server.newSchema() };
  {
    await using cluster = await openCluster({ ...state, worker: 'before', role: 'web', log: silentLog });
    await storeDeliveries(cluster.store, cluster.clock.nowMs(), options);
  }
  const tasks = Array.from({ length: workers }, (_, index) => ({ name: `worker-${index}`, state, accounts: options.accounts }));
  return await run(tasks, options, database);
}

async function run(
  tasks: readonly Task[],
  { accounts, perAccount, cpuPart }: DeliveriesOptions,
  database?: MeasuredDatabase,
): Promise<DeliveryRun> {
  const deliveries = accounts * perAccount;
  const reports = await runWorkers(tasks, { posts: deliveries, cpuPart, onBegin: async () => database?.reset() });
  checkOnce(reports, deliveries);
  const arrivedMs = reports.flatMap((report) => report.arrivedMs).toSorted((one, other) => one - other);
  const tookMs = (arrivedMs.at(-1) ?? 0) - (arrivedMs[0] ?? 0);
  return {
    deliveries,
    perSecond: (deliveries - 1) / (tookMs / 1000),
    cpuMs: reports.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    database: await database?.read(),
  };
}

function checkOnce(reports: readonly Report[], deliveries: number): void {
  const keys = reports.flatMap((report) => report.keys);
  if (keys.length !== deliveries || new Set(keys).size !== deliveries) throw new Error(`${keys.length} posts for ${deliveries} deliveries`);
}

async function storeDeliveries(store: Store, nowMs: number, { accounts, perAccount }: DeliveriesOptions): Promise<void> {
  for (let index = 0; index < perAccount; index++) {
    const firing = firingFor(index, accountNames(accounts), nowMs + index);
    await store.ruleStates.commit({ rule: firing.rule, slotMs: firing.atMs, firings: [firing], withdrawals: [], decisions: [] });
  }
}

/** A post about one stream through each account. */
function firingFor(index: number, as: readonly string[], atMs: number): Firing {
  const rule = `live-${index % 10}`;
  const occasion = { rule, episode: `streamer-${index}@${atMs}`, section: 'then', occasion: '1' } as const;
  const text = '${{ item.owner.displayName }} is live: ${{ item.title }}';
  const item = { owner: { displayName: `Streamer ${index}` }, title: 'An afternoon of endgames, with a new camera' };
  return {
    ...occasion,
    id: hash(rule, occasion.episode, 'then', '1'),
    queue: `${rule}/streamer-${index}`,
    atMs,
    textVersion: hash(rule),
    item: { key: `twitch/${index}`, name: `Streamer ${index}`, picture: `https://pictures.example/live/streamer-${index}-1280x720.jpg` },
    scope: { rule: { id: rule }, now: new Date(atMs).toISOString(), item },
    names: { watch: 'streaming.getStreams', per: 'item', steps: {} },
    sees: [],
    evenIfUnchanged: false,
    steps: planSteps([{ do: 'social.createPost', creates: true, with: { text }, as, reads: [] }], occasion),
  };
}
