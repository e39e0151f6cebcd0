import { afterAll, expect, test } from 'vitest';
import { createDeliveryEngine, type DeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import { silentLog } from '#src/log.ts';
import { openCluster, type Cluster } from '#src/store/postgres/cluster.ts';
import { systemClock } from '#src/clock.ts';
import { FakePlatform } from '../../support/fake-platform.ts';
import { committing, creating, firing, keysOf, renderPlainly } from '../../support/firings.ts';
import { startPostgres } from '../../support/postgres.ts';
import { isTrueWithin } from '../../support/running-time.ts';
import { expectSettled, untilNothingIsDue } from '../../support/settled.ts';
import { repeatIfSlow } from './watched-cluster.ts';

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

/** Commits posts one after the other. Resolves with the keys of each, in the order of its accounts. */
/** Waits until these many records exist and nothing else is sent. */
async function expectSent({ records }: FakePlatform, count: number, { store, clock }: Cluster): Promise<void> {
  await expectSettled(
    () => records.length,
    count,
    () => untilNothingIsDue(store, clock.nowMs()),
  );
}

async function commitPosts({ store, clock }: Cluster, count: number, accounts: readonly string[]): Promise<readonly (readonly string[])[]> {
  const keys: (readonly string[])[] = [];
  for (let index = 0; index < count; index++) {
    const one = firing([creating(accounts)], { rule: 'live', episode: `ada@${index}`, atMs: clock.nowMs() });
    await store.ruleStates.commit(committing([one], { slotMs: clock.nowMs() + index }));
    keys.push(keysOf(one));
  }
  return keys;
}

// A delivery that takes longer than two seconds is overtaken.
test('two workers send each delivery once, and deliveries of one account in order', () =>
  repeatIfSlow(postgres, async () => {
    const schema = postgres.newSchema();
    const platform = new FakePlatform(systemClock);
    await using first = await startWorker(schema, 'one', platform);
    await using second = await startWorker(schema, 'two', platform);
    const accounts = ['a', 'b', 'c', 'd'];
    const committed = await commitPosts(first.cluster, 25, accounts);
    await expectSent(platform, 100, first.cluster);
    for (const [index, account] of accounts.entries()) {
      const sent = platform.records.filter((record) => record.account === account);
      expect(sent.map(({ key }) => key)).toEqual(committed.map((keys) => keys[index]));
    }
    await systemClock.sleep(2_500);
    await commitPosts(second.cluster, 1, ['a']);
    await expectSent(platform, 100, first.cluster);
    const later = firing([creating(['a'])], { rule: 'live', episode: 'new@1', atMs: second.cluster.clock.nowMs() });
    await second.cluster.store.ruleStates.commit(committing([later], { slotMs: second.cluster.clock.nowMs() + 1000 }));
    await expectSent(platform, 101, first.cluster);
  }));

test('a worker sends through all accounts at once that have work', () =>
  repeatIfSlow(postgres, async () => {
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
    expect(await isTrueWithin(10_000, () => platform.records.length === 40)).toBe(true);
    await expectSent(platform, 40, worker.cluster);
  }));

test('a step that waits for the step of another account follows at once', () =>
  repeatIfSlow(postgres, async () => {
    const platform = new FakePlatform(systemClock);
    await using worker = await startWorker(postgres.newSchema(), 'one', platform);
    const { store, clock } = worker.cluster;
    // The lane of the second account is held and idle when the first one sends.
    const slow = creating(['a'], { id: 'post', with: { text: 'first' } });
    const fired = firing([creating(['b']), slow, creating(['b'], { reads: ['post'], with: { text: 'second' } })], { atMs: clock.nowMs() });
    await store.ruleStates.commit(committing([fired], { slotMs: clock.nowMs() }));
    expect(await isTrueWithin(5_000, () => platform.records.length === 3)).toBe(true);
    await expectSent(platform, 3, worker.cluster);
  }));
