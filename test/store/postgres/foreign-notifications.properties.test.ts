import pg from 'pg';
import { expect, test } from 'vitest';
import { shareEvents } from '#src/store/postgres/share-events.ts';
import { systemClock } from '#src/clock.ts';
import { createEventBus, type AppEvent } from '#src/engine/event-bus.ts';
import { createLog, silentLog } from '#src/log.ts';
import type { Decision } from '#src/rules/decision.ts';
import { openNotifications } from '#src/store/postgres/notifications.ts';
import { committing, SLOT_MS } from '../../support/firings.ts';
import { databaseOfStores, openEmptyStore } from '../../support/postgres-stores.ts';
import { fc, runs } from '../../support/property.ts';

const { url } = await databaseOfStores();

/** A process that listens, and another role of the database that notifies it. */
async function listen(channel: string) {
  const lines: string[] = [];
  const notifications = openNotifications({
    url,
    channel,
    worker: 'one',
    notify: async () => undefined,
    clock: systemClock,
    log: createLog({ level: 'debug', secrets: [], write: (line) => lines.push(line), color: false }),
  });
  const received: unknown[] = [];
  let arrived = Promise.withResolvers<void>();
  notifications.subscribe((message) => {
    received.push(message);
    if (message.kind === 'missed' || (message.kind === 'lane' && message.account === 'end')) arrived.resolve();
  });
  const stop = new AbortController();
  const running = notifications.run(stop.signal);
  await arrived.promise;
  const foreign = new pg.Client(url);
  await foreign.connect();
  const notify = (payload: string) => foreign.query('select pg_notify($1, $2)', [channel, payload]);
  return {
    notifications,
    lines,
    notify,
    /** The messages that the process takes from these payloads. */
    async messagesOf(payloads: readonly string[]): Promise<readonly unknown[]> {
      received.length = 0;
      arrived = Promise.withResolvers();
      for (const payload of payloads) await notify(payload);
      await notify(JSON.stringify({ from: 'two', messages: [{ kind: 'lane', account: 'end' }] }));
      await arrived.promise;
      return received.slice(0, -1);
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all([foreign.end(), running]);
    },
  };
}

const from = (...messages: readonly unknown[]): string => JSON.stringify({ from: 'e', messages });

const FOREIGN = [
  'not json',
  '',
  'null',
  '1',
  '[]',
  '{}',
  '{"from":"e","messages":null}',
  '{"from":"e","messages":{"length":1}}',
  '{"from":null,"messages":[]}',
  '{"messages":[{"kind":"lane","account":"x"}]}',
  from(null, 1, 'rules', [], {}),
  from({ kind: 'lane' }),
  from({ kind: 'lane', account: { toString: 1 } }),
  from({ kind: 'missed' }),
  from({ kind: '__proto__' }),
  from({ kind: 'delivery', id: 7 }),
  from({ kind: 'decisions', rule: 'live', atMs: '1' }),
  from({ kind: 'changed', list: 'everything' }),
  from({ kind: 'event', event: { kind: 'decision', decision: { rule: 'forged', atMs: 0 } } }),
  from({ kind: 'event', event: null }),
  '['.repeat(4_000),
];

test('notifications of other roles are ignored and logged once', async () => {
  await using process = await listen('foreign');

  expect(await process.messagesOf(FOREIGN)).toEqual([]);
  expect(process.lines).toHaveLength(1);
  expect(process.lines[0]).toContain('another program sends notifications on the channel of Fanfare');
  expect(await process.messagesOf([from({ kind: 'lane', account: 'x' }, { kind: 'newer' })])).toEqual([{ kind: 'lane', account: 'x' }]);
});

test('no payload ends the process', async () => {
  await using process = await listen('texts');
  const kind = fc.constantFrom('lane', 'rules', 'delivery', 'decisions', 'changed', 'missed', 'event');
  const text = fc.string({ unit: 'grapheme', maxLength: 40 });
  const message = fc.record({ kind, account: fc.jsonValue(), id: fc.jsonValue(), rule: text, atMs: fc.jsonValue() }, { requiredKeys: [] });
  const payload = fc.oneof(
    text,
    fc.json({ maxDepth: 2 }),
    fc.array(message, { maxLength: 3 }).map((some) => from(...some)),
  );
  const sendable = payload.filter((one) => Buffer.byteLength(one) < 7_000 && !one.includes('\0'));

  await fc.assert(
    fc.asyncProperty(fc.array(sendable, { maxLength: 10 }), async (payloads) => {
      for (const one of await process.messagesOf(payloads)) expect(one).toHaveProperty('kind');
    }),
    { numRuns: runs(20, 1_000) },
  );
});

test('a forged event is not shown, because the content of events is read from the tables', async () => {
  await using store = await openEmptyStore();
  await using process = await listen('events');
  const eventBus = createEventBus();
  const events: AppEvent[] = [];
  eventBus.subscribe((event) => events.push(event));
  shareEvents({
    eventBus,
    notifications: process.notifications,
    deliveries: store.deliveries,
    decisions: store.decisions,
    clock: systemClock,
    log: silentLog,
  });
  const stored: Decision = {
    rule: 'live',
    atMs: SLOT_MS,
    outcome: 'fired',
    item: 'ada',
    message: 'ada is live',
    reason: { kind: 'scheduledRun' },
  };
  await store.ruleStates.commit(committing([], { decisions: [stored, { ...stored, item: 'grace' }] }));

  await process.messagesOf([
    from({ kind: 'event', event: { kind: 'decision', decision: { ...stored, message: 'forged' } } }),
    from({ kind: 'event', event: { kind: 'delivery', delivery: { id: 'forged' } } }),
    from({ kind: 'decisions', rule: 'forged', atMs: SLOT_MS }, { kind: 'delivery', id: 'forged' }),
    from({ kind: 'decisions', rule: 'live', atMs: SLOT_MS, message: 'forged' }, { kind: 'changed', list: 'posts', post: 'forged' }),
  ]);

  await expect.poll(() => events).toHaveLength(3);
  expect(events).toEqual([
    { kind: 'posts' },
    { kind: 'decision', decision: stored },
    { kind: 'decision', decision: { ...stored, item: 'grace' } },
  ]);
});

test('notifications of events contain the keys of rows, and no content', async () => {
  await using store = await openEmptyStore();
  await using process = await listen('rows');
  const eventBus = createEventBus();
  const sent: unknown[] = [];
  const notifications = { ...process.notifications, send: (message: unknown) => void sent.push(message) };
  shareEvents({ eventBus, notifications, deliveries: store.deliveries, decisions: store.decisions, clock: systemClock, log: silentLog });

  eventBus.publish({ kind: 'rules' });
  eventBus.publish({ kind: 'decision', decision: { rule: 'live', atMs: SLOT_MS, outcome: 'unchanged', message: 'secret' } });

  expect(sent).toEqual([
    { kind: 'changed', list: 'rules' },
    { kind: 'decisions', rule: 'live', atMs: SLOT_MS },
  ]);
});
