import { expect, test } from 'vitest';
import { createShardLeases, type ShardLeases, type ShardTable } from '#src/discord/gateway/shard-leases.ts';
import { LEASE_MS, type Shard } from '#src/discord/gateway/shard-state.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** A gateway without connections: its shards are online as soon as it runs them. */
class Gateway {
  readonly leases: ShardLeases;
  #running: readonly Shard[] = [];

  constructor(leases: ShardLeases) {
    this.leases = leases;
  }

  get ids(): readonly number[] {
    return this.#running.map(({ id }) => id).toSorted((a, b) => a - b);
  }

  async renew(): Promise<void> {
    this.#running = await this.leases.renew(this.#running.map((shard) => ({ ...shard, isOnline: true })));
  }
}

export interface ShardTableFixture extends AsyncDisposable {
  /** The same table for another gateway. */
  open(): ShardTable;
}

/** The promises of shard leases over a table. */
export function shardLeasesContract(name: string, start: () => Promise<ShardTableFixture>): void {
  async function openGateways() {
    const fixture = await start();
    const clock = new ManualClock();
    return {
      clock,
      gateway: (gateway: string, { count = 4, maxConcurrency = 1 } = {}) =>
        new Gateway(createShardLeases({ table: fixture.open(), gateway, count, maxConcurrency, clock })),
      [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
    };
  }

  test(`${name}: the only gateway runs all shards`, async () => {
    await using cluster = await openGateways();
    const one = cluster.gateway('a');

    await one.renew();

    expect(one.ids).toEqual([0, 1, 2, 3]);
    expect(one.leases.hasSuccessor).toBe(false);
  });

  test(`${name}: gateways that start at once share the shards`, async () => {
    await using cluster = await openGateways();
    const all = ['a', 'b', 'c', 'd'].map((id) => cluster.gateway(id));

    for (let round = 0; round < 6; round++) await Promise.all(all.map((one) => one.renew()));

    expect(all.flatMap(({ ids }) => ids).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3]);
    expect(all.map(({ ids }) => ids.length)).toEqual([1, 1, 1, 1]);
  });

  test(`${name}: a gateway that leaves runs its shards until its successor does`, async () => {
    await using cluster = await openGateways();
    const [old, next] = [cluster.gateway('a'), cluster.gateway('b')];
    await old.renew();
    await next.renew();
    old.leases.leave();

    await old.renew();
    await next.renew();
    const during = [old.ids, next.ids];
    await next.renew();
    await old.renew();

    expect(during).toEqual([
      [0, 1, 2, 3],
      [0, 1, 2, 3],
    ]);
    expect(old.ids).toEqual([]);
    await old.leases.end();
    await next.renew();
    expect(next.leases.hasSuccessor).toBe(false);
  });

  test(`${name}: the shards of a gateway that stopped renewing are taken over after its lease`, async () => {
    await using cluster = await openGateways();
    const [dead, next] = [cluster.gateway('a'), cluster.gateway('b')];
    for (let round = 0; round < 3; round++) for (const one of [dead, next]) await one.renew();

    await cluster.clock.advance(LEASE_MS - 1);
    await next.renew();
    const before = next.ids;
    await cluster.clock.advance(1);
    await next.renew();

    expect(before).toHaveLength(2);
    expect(next.ids).toEqual([0, 1, 2, 3]);
  });

  test(`${name}: each bucket of shards identifies once in more than five seconds, in all gateways together`, async () => {
    await using cluster = await openGateways();
    const options = { count: 4, maxConcurrency: 2 };
    const [one, other] = [cluster.gateway('a', options), cluster.gateway('b', options)];
    const { signal } = new AbortController();
    const startMs = cluster.clock.nowMs();
    const atMs: (readonly [shard: number, ms: number])[] = [];
    const identify = async ({ leases }: Gateway, shard: number): Promise<void> => {
      await leases.identify(shard, signal);
      atMs.push([shard, cluster.clock.nowMs() - startMs]);
    };

    const all = Promise.all([identify(one, 0), identify(one, 1), identify(other, 2), identify(other, 3)]);
    await expect.poll(() => cluster.clock.sleeping).toBe(2);
    await cluster.clock.advance(5_000);
    const early = atMs.length;
    await cluster.clock.advance(500);
    await all;

    expect(early).toBe(2);
    const ofBucket = (bucket: number): readonly number[] => atMs.filter(([shard]) => shard % 2 === bucket).map(([, ms]) => ms);
    expect([ofBucket(0), ofBucket(1)]).toEqual([
      [0, 5_500],
      [0, 5_500],
    ]);
  });

  test(`${name}: shards that lose their connection before they may identify do not delay later ones`, async () => {
    await using cluster = await openGateways();
    const { leases } = cluster.gateway('a');
    await leases.identify(0, new AbortController().signal);
    for (let time = 1; time <= 10; time++) {
      const closed = new AbortController();
      const waiting = leases.identify(0, closed.signal);
      await expect.poll(() => cluster.clock.sleeping).toBe(1);
      closed.abort();
      await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    }

    const identified = leases.identify(0, new AbortController().signal);
    await expect.poll(() => cluster.clock.sleeping).toBe(1);
    await cluster.clock.advance(6_000);

    await expect.poll(() => cluster.clock.sleeping).toBe(0);
    await identified;
  });
}
