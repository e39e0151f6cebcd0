import { expect, test } from 'vitest';
import { type Log, silentLog } from '#src/log.ts';
import type { DeliveryStore } from '#src/engine/delivery/delivery-store.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { failing } from '../../support/fake-platform.ts';
import { creating, firing, keysOf } from '../../support/firings.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import { runEngine } from './running-engine.ts';

test('a shutdown starts nothing new, gives running attempts their time, and ends all waits', async () => {
  await using running = await runEngine();
  const hanging = Promise.withResolvers<void>();
  running.platform.hangs.set('x', hanging.promise);
  await running.commit([firing([creating(['x'])]), firing([creating(['x'])], { episode: 'grace@1' })]);

  const stopped = running.stop();
  hanging.resolve();
  await stopped;

  expect(await running.states()).toEqual([
    ['x', 'sent'],
    ['x', 'pending'],
  ]);
  expect(running.clock.sleeping).toBe(0);
});

test('an attempt that takes too long at shutdown is aborted, and the next start searches for it', async () => {
  await using running = await runEngine();
  running.platform.hangs.set('x', new Promise(() => undefined));
  const fired = firing([creating(['x'])]);
  await running.commit([fired]);

  await running.stop();

  expect(running.platform.attempts[0]?.signal.aborted).toBe(true);
  expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'sending', attempts: 1, error: undefined });
});

test('a response is not lost if it cannot be stored at once', async () => {
  const errors: string[] = [];
  const log: Log = { ...silentLog, error: (_fields, message) => errors.push(message) };
  await using running = await runEngine({ log, traits: { deduplicates: false, finds: 'nothing' }, store: failingStore });
  const fired = firing([creating(['x'])]);

  await running.commit([fired]);
  await running.clock.advance(60_000);

  expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'sent', result: { id: 'r1' } });
  expect(running.platform.attempts).toHaveLength(1);
  expect(errors).toEqual(['a delivery could not be stored; Fanfare retries']);
});

/** A store whose disk is full for a while, once something was sent. */
async function failingStore(clock: ManualClock): Promise<Store> {
  const store = await openStore({ clock });
  let failures = 3;
  const change: DeliveryStore['change'] = async (delivery, change) => {
    if (change.state === 'sent' && failures-- > 0) throw new Error('the disk is full');
    return store.deliveries.change(delivery, change);
  };
  return { ...store, deliveries: { ...store.deliveries, change } };
}

test('a failing store is logged once for each account, and again after it worked', async () => {
  const errors: string[] = [];
  const log: Log = {
    ...silentLog,
    error: (fields, message) => errors.push(`${'account' in fields ? String(fields.account) : ''}: ${message}`),
  };
  let isFull = true;
  await using running = await runEngine({
    log,
    store: async (clock) => {
      const store = await openStore({ clock });
      const due: DeliveryStore['due'] = (account, options) =>
        isFull ? Promise.reject(new Error('the disk is full')) : store.deliveries.due(account, options);
      return { ...store, deliveries: { ...store.deliveries, due } };
    },
  });

  await running.commit([firing([creating(['x'])])]);
  await running.clock.advance(5 * 60_000);
  const during = errors.splice(0);
  isFull = false;
  await running.clock.advance(60_000);
  isFull = true;
  await running.commit([firing([creating(['x']), creating(['x'])], { episode: 'grace@1' })]);
  await running.clock.advance(5 * 60_000);

  expect(during).toEqual(['x: the delivery engine failed; it retries']);
  expect(errors).toEqual(during);
  expect(await running.states()).toEqual([
    ['x', 'sent'],
    // It began with its commit, so nothing had to be read.
    ['x', 'sent'],
    ['x', 'pending'],
  ]);
});

test('a delivery that cannot be processed waits, and the others continue', async () => {
  await using running = await runEngine({
    store: async (clock) => {
      const store = await openStore({ clock });
      const prepare: DeliveryStore['prepare'] = async (delivery) => {
        if (delivery.episode === 'ada@1') throw failing('malformed');
        return store.deliveries.prepare(delivery);
      };
      return { ...store, deliveries: { ...store.deliveries, prepare } };
    },
  });

  await running.commit([firing([creating(['x'])]), firing([creating(['x'])], { episode: 'grace@1' })]);

  expect(await running.states()).toEqual([
    ['x', 'pending'],
    ['x', 'sent'],
  ]);
});
