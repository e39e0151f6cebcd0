import { afterAll, expect, test } from 'vitest';
import { createDeliveryEngine, type DeliveryEngine } from '#src/delivery/delivery-engine.ts';
import { silentLog } from '#src/log.ts';
import { openCluster, type Cluster } from '#src/store/postgres/cluster.ts';
import { systemClock } from '#src/clock.ts';
import { FakePlatform } from '../../support/fake-platform.ts';
import { committing, creating, firing, renderPlainly } from '../../support/firings.ts';
import { startPostgres } from '../../support/postgres.ts';

const postgres = await startPostgres();
afterAll(() => postgres[Symbol.asyncDispose]());

/** A worker in this process. */
interface Worker extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly engine: DeliveryEngine;
}

async function startWorker(schema: string, worker: string, platform: Pick<FakePlatform, 'perform' | 'recover'>): Promise<Worker> {
  const cluster = await openCluster({ url: postgres.url, schema, worker, role: 'all', log: silentLog });
  const { store, lanes, clock } = cluster;
  const engine = createDeliveryEngine({
    deliveries: store.deliveries,
    lanes,
    perform: platform.perform,
    recover: platform.recover,
    render: renderPlainly,
    clock,
    log: silentLog,
  });
  const stop = new AbortController();
  const running = Promise.all([engine.run(stop.signal), cluster.run(stop.signal)]);
  return {
    cluster,
    engine,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
      await cluster[Symbol.asyncDispose]();
    },
  };
}

async function commitPosts({ store, clock }: Cluster, count: number, accounts: readonly string[]): Promise<void> {
  for (let index = 0; index < count; index++) {
    const one = firing([creating(accounts)], { rule: 'live', episode: `ada@${index}`, atMs: clock.nowMs() });
    await store.ruleStates.commit(committing([one], { slotMs: clock.nowMs() + index }));
  }
}

test('two workers send each delivery once, and deliveries of one account in order', async () => {
  const schema = postgres.newSchema();
  const platform = new FakePlatform(systemClock);
  await using first = await startWorker(schema, 'one', platform);
  await using second = await startWorker(schema, 'two', platform);
  const accounts = ['a', 'b', 'c', 'd'];
  await commitPosts(first.cluster, 25, accounts);
  await expect.poll(() => platform.records.length, { timeout: 30_000 }).toBe(100);
  for (const account of accounts) {
    const sent = platform.records.filter((record) => record.account === account);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(25);
  }
  await systemClock.sleep(2_500);
  await commitPosts(second.cluster, 1, ['a']);
  await expect.poll(() => platform.records.length, { timeout: 30_000, interval: 5 }).toBe(100);
  const later = firing([creating(['a'])], { rule: 'live', episode: 'new@1', atMs: second.cluster.clock.nowMs() });
  await second.cluster.store.ruleStates.commit(committing([later], { slotMs: second.cluster.clock.nowMs() + 1000 }));
  await expect.poll(() => platform.records.length, { timeout: 30_000, interval: 5 }).toBe(101);
});

test('a worker sends through all accounts at once that have work', async () => {
  const accounts = Array.from({ length: 40 }, (_, index) => `account-${index}`);
  const platform = new FakePlatform(systemClock);
  const all = Promise.withResolvers<void>();
  let underWay = 0;
  await using worker = await startWorker(postgres.newSchema(), 'one', {
    recover: platform.recover,
    async perform(attempt) {
      underWay += 1;
      if (underWay === accounts.length) all.resolve();
      await all.promise;
      return platform.perform(attempt);
    },
  });
  await commitPosts(worker.cluster, 1, accounts);
  await expect.poll(() => platform.records.length, { timeout: 10_000 }).toBe(40);
});

test('a step follows at once that waits for the step of another account', async () => {
  const platform = new FakePlatform(systemClock);
  await using worker = await startWorker(postgres.newSchema(), 'one', platform);
  const { store, clock } = worker.cluster;
  // The lane of the second account is held and idle when the first one sends.
  const slow = creating(['a'], { id: 'post', with: { text: 'first' } });
  const fired = firing([creating(['b']), slow, creating(['b'], { reads: ['post'], with: { text: 'second' } })], { atMs: clock.nowMs() });
  await store.ruleStates.commit(committing([fired], { slotMs: clock.nowMs() }));
  await expect.poll(() => platform.records.length, { timeout: 5_000, interval: 5 }).toBe(3);
});
