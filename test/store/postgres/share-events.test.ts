import { setImmediate as nextLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createEventBus, type AppEvent } from '#src/engine/event-bus.ts';
import { silentLog } from '#src/log.ts';
import type { Notifications } from '#src/store/postgres/notifications.ts';
import { shareEvents } from '#src/store/postgres/share-events.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { storedDelivery } from '../../support/stored-delivery.ts';

type Received = Parameters<Parameters<Notifications['subscribe']>[0]>[0];

/** A process whose store has two deliveries. A load lasts until `answer` is called. */
function open() {
  const eventBus = createEventBus();
  const clock = new ManualClock(0);
  const [sent, published, loads]: [unknown[], AppEvent[], string[][]] = [[], [], []];
  let receive: (message: Received) => void = () => expect.fail('nothing listens');
  let answer: () => void = () => expect.fail('nothing is loaded');
  const known = ['1', '2'].map((id) => storedDelivery({ id }));
  shareEvents({
    eventBus,
    clock,
    log: silentLog,
    notifications: {
      send: (message) => void sent.push(message),
      subscribe(listener) {
        receive = listener;
        return () => undefined;
      },
    },
    deliveries: {
      load(ids) {
        loads.push([...ids]);
        if (loads.length > 3) throw new Error('it loads again and again');
        return new Promise((resolve) => (answer = () => resolve(known.filter(({ id }) => ids.includes(id)))));
      },
    },
    decisions: { list: async () => ({ items: [] }) },
  });
  eventBus.subscribe((event) => published.push(event));
  return {
    eventBus,
    sent,
    published,
    loads,
    receive: (message: Received) => receive(message),
    answer: async () => {
      answer();
      await nextLoop();
    },
  };
}

test('deliveries of other processes are read together while another read runs, and each once', async () => {
  const { receive, answer, loads, published, sent } = open();

  for (const id of ['1', '2', '3', '2']) receive({ kind: 'delivery', id });
  await answer();
  await answer();

  expect(loads).toEqual([['1'], ['2', '3']]);
  expect(published).toMatchObject([
    { kind: 'delivery', delivery: { id: '1' } },
    { kind: 'delivery', delivery: { id: '2' } },
  ]);
  // The event of another process does not go back.
  expect(sent).toEqual([]);

  receive({ kind: 'delivery', id: '1' });
  await answer();
  expect(loads).toHaveLength(3);
});

test('after missed notifications, each view and client reads again, also deliveries and decisions', () => {
  const { receive, published, sent } = open();

  receive({ kind: 'missed' });

  expect(published).toContainEqual({ kind: 'reset' });
  expect(sent).toEqual([]);
});

test('events of this process are sent to the others without their records', () => {
  const { eventBus, sent } = open();

  eventBus.publish({ kind: 'delivery', delivery: storedDelivery({ id: '7' }) });
  eventBus.publish({ kind: 'posts' });

  expect(sent).toEqual([
    { kind: 'delivery', id: '7' },
    { kind: 'changed', list: 'posts' },
  ]);
});
