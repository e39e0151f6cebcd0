import { describe, expect, test } from 'vitest';
import { openStore } from '#src/store/store.ts';
import type { Delivery } from '#src/delivery/delivery.ts';
import { committing, creating, firing, keysOf, SLOT_MS } from '../support/firings.ts';
import { begin } from '../contract/delivery-steps.ts';
import { runEngine, type RunningEngineOptions } from './running-engine.ts';

const X = creating(['x']);
const ADA = firing([X]);
const GRACE = firing([X], { episode: 'grace@1' });
const [ADAS = '', GRACES = ''] = [...keysOf(ADA), ...keysOf(GRACE)];

const there = { account: 'x', do: '', params: X.with };

function at(seconds: number): Date {
  return new Date(SLOT_MS + seconds * 1_000);
}

/** A delivery engine that starts after ten seconds on two deliveries of like words, as an earlier run left them. */
function startOn(left: Readonly<Record<string, Partial<Delivery>>>, options: RunningEngineOptions = {}) {
  return runEngine({
    habits: { knowsKeys: false, finds: 'content', visibleAfterMs: 4_000 },
    store: async (clock) => {
      const store = await openStore({ clock });
      await store.ruleStates.commit(committing([ADA, GRACE]));
      for (const [key, more] of Object.entries(left)) await begin(store, key, { params: X.with, ...more });
      clock.set(at(10));
      return store;
    },
    ...options,
  });
}

describe('at the start', () => {
  test('what was begun is looked into before anything else of its account, though its next look was planned for later', async () => {
    await using running = await startOn({ [GRACES]: { dueAt: at(60) } });
    running.platform.records.push({ ...there, id: 'r0', key: GRACES, atMs: at(1).getTime() });

    await running.clock.advance(0);

    expect(running.changes.map(({ id, state }) => [id, state])).toEqual([
      [GRACES, 'sent'],
      [ADAS, 'sending'],
      [ADAS, 'sent'],
    ]);
    expect(Object.values(running.platform.counts())).toEqual([1, 1]);
  });

  test('of identical deliveries, the oldest one claims the record that was found', async () => {
    const left = { [ADAS]: { attemptedAt: at(9), since: at(1) }, [GRACES]: { attemptedAt: at(1), since: at(1) } };
    await using running = await startOn(left, { visibleAfterMs: () => 10_000 });
    running.platform.records.push({ ...there, id: 'first', key: GRACES, atMs: at(1).getTime() });
    running.platform.records.push({ ...there, id: 'second', key: ADAS, atMs: at(9).getTime() });

    await running.clock.advance(60_000);

    expect(running.platform.attempts).toEqual([]);
    expect(await running.find(GRACES)).toMatchObject({ state: 'sent', result: { id: 'first' } });
    expect(await running.find(ADAS)).toMatchObject({ state: 'sent', result: { id: 'second' } });
  });

  test('reconciling alone finds out and sends nothing', async () => {
    await using running = await startOn({ [GRACES]: {} }, { runs: false });
    running.platform.records.push({ ...there, id: 'r0', key: GRACES, atMs: at(1).getTime() });

    await running.engine.reconcile(new AbortController().signal);

    expect(running.platform.attempts).toEqual([]);
    expect(await running.find(GRACES)).toMatchObject({ state: 'sent' });
    expect(await running.find(ADAS)).toMatchObject({ state: 'pending' });
  });
});
