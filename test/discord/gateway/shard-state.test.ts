import { describe, expect, test } from 'vitest';
import { fc } from '../../support/property.ts';
import { LEASE_MS, NO_SHARDS, renewed, shardsToRun, type ShardState } from '#src/discord/gateway/shard-state.ts';

interface Gateway {
  readonly id: string;
  running: ReturnType<typeof shardsToRun>;
  isLeaving: boolean;
}

/** Renews gateways one after the other. Their shards are online at the next renewal. */
function simulate(count: number) {
  let state: ShardState = NO_SHARDS;
  let nowMs = 0;
  const gateways = new Map<string, Gateway>();
  return {
    gateways,
    start: (id: string) => void gateways.set(id, { id, running: [], isLeaving: false }),
    pass: (ms: number) => void (nowMs += ms),
    renew(rounds = 1) {
      for (let round = 0; round < rounds; round++) {
        for (const one of gateways.values()) {
          const running = one.running.map((shard) => ({ ...shard, isOnline: true }));
          state = renewed(state, { gateway: one.id, count, isLeaving: one.isLeaving, running, nowMs });
          one.running = shardsToRun(state, one.id, one.running);
        }
      }
    },
    idsOf: (id: string) => (gateways.get(id)?.running ?? []).map((shard) => shard.id),
    get covered() {
      return new Set([...gateways.values()].flatMap(({ running }) => running.map(({ id }) => id))).size;
    },
  };
}

describe('gateways', () => {
  test('share the shards evenly as they start, and every shard keeps running', () => {
    const cluster = simulate(8);
    for (const id of ['a', 'b', 'c']) {
      cluster.start(id);
      for (let round = 0; round < 4; round++) {
        cluster.renew();
        expect(cluster.covered).toBe(8);
      }
    }

    expect(['a', 'b', 'c'].map((id) => cluster.idsOf(id).length).toSorted((a, b) => a - b)).toEqual([2, 3, 3]);
  });

  test('that leave run their shards until others do', () => {
    const cluster = simulate(4);
    for (const id of ['a', 'b']) cluster.start(id);
    cluster.renew(3);
    const leaving = cluster.gateways.get('a');
    if (leaving) leaving.isLeaving = true;

    cluster.renew();
    const during = [cluster.idsOf('a').length, cluster.idsOf('b').length];
    cluster.renew(2);

    expect(during).toEqual([2, 4]);
    expect([cluster.idsOf('a'), cluster.idsOf('b').length]).toEqual([[], 4]);
  });

  test('take over the shards of a gateway whose lease ended, and return some when it is back', () => {
    const cluster = simulate(4);
    for (const id of ['a', 'b']) cluster.start(id);
    cluster.renew(3);
    const frozen = cluster.gateways.get('a');
    cluster.gateways.delete('a');

    cluster.pass(LEASE_MS - 1);
    cluster.renew();
    expect(cluster.idsOf('b')).toHaveLength(2);
    cluster.pass(1);
    cluster.renew();
    expect(cluster.idsOf('b')).toHaveLength(4);

    if (frozen) cluster.gateways.set('a', frozen);
    cluster.renew(4);
    expect([cluster.idsOf('a').length, cluster.idsOf('b').length]).toEqual([2, 2]);
  });

  test('of a larger number of shards run the old shards until all new ones are online', () => {
    let state = renewed(NO_SHARDS, { gateway: 'a', count: 1, isLeaving: false, running: [], nowMs: 0 });
    const old = { id: 0, count: 1 };
    state = renewed(state, { gateway: 'b', count: 2, isLeaving: false, running: [], nowMs: 0 });
    const [mine] = shardsToRun(state, 'b', []);

    expect(mine?.count).toBe(2);
    expect(shardsToRun(state, 'a', [old])).toContainEqual(old);
    for (const gateway of ['a', 'b', 'a', 'b']) {
      const running = shardsToRun(state, gateway, []).map((shard) => ({ ...shard, isOnline: true }));
      state = renewed(state, { gateway, count: 1, isLeaving: false, running, nowMs: 0 });
    }
    expect(shardsToRun(state, 'a', [old])).toEqual([{ id: expect.any(Number), count: 2 }]);
  });

  test('that start, leave and freeze in any order end with even shares and without double shards', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.tuple(fc.constantFrom('start', 'leave', 'freeze', 'renew'), fc.constantFrom('a', 'b', 'c', 'd')), { maxLength: 25 }),
        (count, steps) => {
          const cluster = simulate(count);
          cluster.start('z');
          for (const [step, id] of steps) {
            const gateway = cluster.gateways.get(id);
            if (step === 'start' && !gateway) cluster.start(id);
            else if (step === 'leave' && gateway) gateway.isLeaving = true;
            else if (step === 'freeze') cluster.gateways.delete(id);
            cluster.renew();
          }
          cluster.pass(LEASE_MS);
          cluster.renew(2 * count + 4);

          const active = [...cluster.gateways.values()].filter(({ isLeaving }) => !isLeaving);
          const sizes = active.map(({ running }) => running.length);
          const all = [...cluster.gateways.values()].flatMap(({ running }) => running.map(({ id }) => id));
          expect(new Set(all).size).toBe(count);
          expect(all).toHaveLength(count);
          expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});
