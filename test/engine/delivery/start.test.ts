import { describe, expect, test } from 'vitest';
import { openStore } from '#src/store/store.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { DeliveryRows } from '#src/engine/delivery/delivery-rows.ts';
import { createLocalLanes, type Lanes } from '#src/engine/delivery/lanes.ts';
import { silentLog } from '#src/log.ts';
import { committing, creating, firing, keysOf, SLOT_MS } from '../../support/firings.ts';
import { begin } from '../../contract/delivery-steps.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { runEngine, type RunningEngineOptions } from './running-engine.ts';

const X = creating(['x']);
const ADA = firing([X]);
const GRACE = firing([X], { episode: 'grace@1' });
const [ADAS = '', GRACES = ''] = [...keysOf(ADA), ...keysOf(GRACE)];

const there = { account: 'x', do: '', params: X.with };

function at(seconds: number): Date {
  return new Date(SLOT_MS + seconds * 1_000);
}

/** A delivery engine that starts after ten seconds with two deliveries with equal texts from an earlier run. */
function startOn(left: Readonly<Record<string, Partial<Delivery>>>, options: RunningEngineOptions = {}) {
  return runEngine({
    traits: { deduplicates: false, finds: 'content', visibleAfterMs: 4_000 },
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
  test('lost attempts are searched for before other deliveries of the account, even if a later search is planned', async () => {
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
    // The later one looks again a second after the search for the first one.
    expect(running.changes[0]).toMatchObject({ id: ADAS, state: 'sending', dueAt: at(11) });
    expect(await running.find(GRACES)).toMatchObject({ state: 'sent', result: { id: 'first' } });
    expect(await running.find(ADAS)).toMatchObject({ state: 'sent', result: { id: 'second' } });
  });

  test('reconciling alone searches and sends nothing', async () => {
    await using running = await startOn({ [GRACES]: {} }, { runs: false });
    running.platform.records.push({ ...there, id: 'r0', key: GRACES, atMs: at(1).getTime() });

    await running.engine.reconcile(new AbortController().signal);

    expect(running.platform.attempts).toEqual([]);
    expect(await running.find(GRACES)).toMatchObject({ state: 'sent' });
    expect(await running.find(ADAS)).toMatchObject({ state: 'pending' });
  });
});

describe('while another process sends', () => {
  const claimed = (claim: DeliveryRows['claim']) =>
    createLocalLanes({ deliveries: { claim, accounts: () => Promise.resolve(['x']) }, clock: new ManualClock(), log: silentLog });
  const work = () => Promise.reject(new Error('no lane may start'));

  test('a shutdown ends the wait, and nothing starts', async () => {
    const stopping = new AbortController();
    const lanes = claimed(({ signal, onWait }) => {
      onWait?.();
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    let waits = 0;

    const running = lanes.run(work, { onWait: () => void waits++, onWork: () => undefined, signal: stopping.signal });
    stopping.abort();

    await expect(running).resolves.toBeUndefined();
    expect(waits).toBe(1);
  });

  test('a lock that cannot be taken is an error', async () => {
    const lanes = claimed(() => Promise.reject(new Error('the disk is full')));
    const options = { onWait: () => undefined, onWork: () => undefined, signal: new AbortController().signal };

    await expect(lanes.run(work, options)).rejects.toThrow('the disk is full');
  });
});

test('new work wakes the lanes of its accounts, and only asks for lanes that this process does not have', async () => {
  let asked = 0;
  const lanes: Lanes = {
    run: (work, { signal }) => work({ account: 'x', signal, assertHeld: () => undefined }),
    wake: () => void asked++,
  };
  await using running = await runEngine({ lanes });
  await running.clock.advance(0);
  await running.store.ruleStates.commit(committing([firing([creating(['x', 'y'])])]));

  running.engine.wake(['x']);
  await running.clock.advance(0);
  expect(asked).toBe(0);
  expect(await running.states()).toEqual([
    ['x', 'sent'],
    ['y', 'pending'],
  ]);

  for (const accounts of [['x', 'y'], ['y'], undefined]) running.engine.wake(accounts);
  expect(asked).toBe(3);
});
