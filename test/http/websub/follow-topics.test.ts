import { expect, test } from 'vitest';
import type { HubOrder } from '#src/http/websub/ask-hub.ts';
import { hubSecret } from '#src/http/websub/callback-id.ts';
import { followTopics, type Hub } from '#src/http/websub/follow-topics.ts';
import { receiveFromHub } from '#src/http/websub/receive.ts';
import type { WebSubSubscription } from '#src/http/websub/subscription.ts';
import { SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const HOUR_MS = 3_600_000;
const HUB = 'https://hub.example/';
const FEED = 'https://blog.example/feed.xml';

/** An installation, and a hub that verifies at once if `verifies` is true. */
function open({
  hubs = { [FEED]: HUB },
  secret = 'secret',
}: { readonly hubs?: Readonly<Record<string, string>>; readonly secret?: string } = {}) {
  const clock = new ManualClock(SLOT_MS);
  const { signal } = new AbortController();
  const rows = new Map<string, WebSubSubscription>();
  const orders: (HubOrder & { readonly hub: string })[] = [];
  const state = { verifies: true, fails: false, lookUps: 0 };
  const subscriptions = {
    all: async () => [...rows.values()],
    find: async (id: string) => rows.get(id),
    keep: async (one: WebSubSubscription) => void rows.set(one.id, one),
    drop: async (id: string) => void rows.delete(id),
  };
  const ask = (order: HubOrder, changes: Readonly<Record<string, string>> = {}) => {
    const query = new URLSearchParams({
      'hub.mode': order.mode,
      'hub.topic': order.topic,
      'hub.challenge': 'pass',
      'hub.lease_seconds': '864000',
      ...changes,
    });
    const request = {
      method: 'GET',
      query,
      subscription: order.callback.split('/').at(-1) ?? '',
      header: () => undefined,
      body: new Uint8Array(),
    } as const;
    return receiveFromHub(request, { secret: async () => secret, subscriptions, operations: [], nowMs: clock.nowMs() });
  };
  const follow = followTopics({
    url: 'https://fanfare.example/hooks/notifications/feed',
    secret,
    subscriptions,
    async findHub(key): Promise<Hub | undefined> {
      state.lookUps += 1;
      if (key.includes('typo')) throw new Error('there is no such feed');
      const hub = hubs[key];
      return hub === undefined ? undefined : { hub, topic: key };
    },
    async askHub(hub, order) {
      orders.push({ ...order, hub });
      if (state.fails) throw new Error('it answers with 500');
      if (state.verifies) expect(await ask(order)).toEqual({ kind: 'challenge', answer: 'pass' });
    },
    clock,
  });
  const pass = (...keys: readonly string[]) => follow(new Map(keys.map((key) => [key, [key]])), signal);
  return { clock, rows, orders, state, ask, pass };
}

test('a subscription is verified, and renewed before its lease ends', async () => {
  const { clock, orders, pass, rows } = open();
  expect(await pass(FEED)).toEqual({ active: 1, failed: 0, problem: undefined });
  expect(orders).toEqual([
    {
      mode: 'subscribe',
      hub: HUB,
      topic: FEED,
      callback: expect.stringContaining('https://fanfare.example/hooks/notifications/feed/'),
      secret: expect.any(String),
    },
  ]);
  const [id = ''] = rows.keys();
  expect(orders[0]?.secret).toBe(hubSecret(id, 'secret'));

  await clock.advance(7 * 24 * HOUR_MS);
  await pass(FEED);
  expect(orders).toHaveLength(1);
  await clock.advance(25 * HOUR_MS);
  await pass(FEED);
  await pass(FEED);
  expect(orders.map(({ callback }) => callback)).toEqual([orders[0]?.callback, orders[0]?.callback]);
  expect(await pass(FEED)).toMatchObject({ active: 1 });
});

test('an unwanted subscription ends, and only then may the hub verify its end', async () => {
  const { ask, orders, pass, rows, state } = open();
  await pass(FEED);
  const [first] = orders;
  if (!first) throw new Error('nothing was ordered');
  expect(await ask({ ...first, mode: 'unsubscribe' })).toEqual({ kind: 'refused', reason: 'subscription' });
  await pass();
  expect(orders.at(-1)).toMatchObject({ mode: 'unsubscribe', topic: FEED });
  expect(rows.size).toBe(0);
  state.verifies = false;
  expect(await ask(first)).toEqual({ kind: 'refused', reason: 'subscription' });
});

test('a hub that does not verify is asked again each hour, and named after ten minutes', async () => {
  const { clock, orders, pass, state } = open();
  state.verifies = false;
  expect(await pass(FEED)).toEqual({ active: 0, failed: 0, problem: undefined });
  await clock.advance(11 * 60_000);
  expect(await pass(FEED)).toEqual({ active: 0, failed: 1, problem: `hub.example has not verified the subscription to ${FEED}` });
  expect(orders).toHaveLength(1);
  await clock.advance(HOUR_MS);
  await pass(FEED);
  expect(orders).toHaveLength(2);
});

test('a hub that fails is asked again after an hour', async () => {
  const { clock, orders, pass, state } = open();
  state.fails = true;
  expect(await pass(FEED)).toMatchObject({ failed: 1, problem: 'hub.example does not accept subscriptions: it answers with 500' });
  await pass(FEED);
  expect(orders).toHaveLength(1);
  state.fails = false;
  await clock.advance(HOUR_MS);
  expect(await pass(FEED)).toEqual({ active: 1, failed: 0, problem: undefined });
});

test('a denied subscription is tried again after a day', async () => {
  const { ask, clock, orders, pass } = open();
  await pass(FEED);
  const [first] = orders;
  if (!first) throw new Error('nothing was ordered');
  expect(await ask(first, { 'hub.mode': 'denied' })).toEqual({ kind: 'ended' });
  expect(await pass(FEED)).toMatchObject({ active: 0, failed: 1, problem: expect.stringContaining('denies') });
  await clock.advance(24 * HOUR_MS);
  expect(await pass(FEED)).toMatchObject({ active: 1, failed: 0 });
});

test('a feed without a hub is read once a day, and is no failure', async () => {
  const { clock, pass, state } = open({ hubs: {} });
  expect(await pass(FEED)).toEqual({ active: 0, failed: 0, problem: undefined });
  await pass(FEED);
  expect(state.lookUps).toBe(1);
  await clock.advance(24 * HOUR_MS);
  await pass(FEED);
  expect(state.lookUps).toBe(2);
});

test('subscriptions under another secret are made again', async () => {
  const { pass, rows, orders } = open();
  rows.set('foreign', {
    id: 'foreign',
    topic: FEED,
    names: [FEED],
    hub: HUB,
    state: 'active',
    since: new Date(SLOT_MS),
    until: new Date(SLOT_MS + 1e10),
  });
  await pass(FEED);
  expect(rows.has('foreign')).toBe(false);
  expect(orders).toHaveLength(1);
});

test('a stored subscription to a topic with a password is made again, and its hub gets the password no more', async () => {
  const { orders, pass, rows } = open();
  await pass(FEED);
  const [stored] = rows.values();
  if (!stored) throw new Error('nothing was stored');
  rows.set(stored.id, { ...stored, topic: FEED.replace('://', '://ada:secret@'), state: 'requested', since: new Date(0) });

  expect(await pass(FEED)).toEqual({ active: 1, failed: 0, problem: undefined });
  await pass();

  expect(orders.map(({ mode, topic }) => [mode, topic])).toEqual([
    ['subscribe', FEED],
    ['subscribe', FEED],
    ['unsubscribe', FEED],
  ]);
  expect(rows.size).toBe(0);
});

test('a feed without a hub whose address has a password is read once a day', async () => {
  const { clock, pass, state } = open();
  const address = 'https://ada:secret@plain.example/feed.xml';
  for (let hour = 0; hour < 30; hour += 1) {
    await pass(address);
    await clock.advance(HOUR_MS);
  }
  expect(state.lookUps).toBe(2);
});

test('a feed whose hub changed is subscribed at its new hub when the lease has ended', async () => {
  const hubs = { [FEED]: HUB };
  const { clock, orders, pass, state } = open({ hubs });
  await pass(FEED);
  hubs[FEED] = 'https://new-hub.example/';
  state.fails = true;
  for (let days = 0; days < 10; days++) {
    await clock.advance(24 * HOUR_MS);
    await pass(FEED);
  }
  state.fails = false;
  await clock.advance(HOUR_MS);

  expect(await pass(FEED)).toEqual({ active: 1, failed: 0, problem: undefined });
  expect([orders[0]?.hub, orders.at(-1)?.hub]).toEqual([HUB, 'https://new-hub.example/']);
});

test('the failure of an unwatched feed is no problem', async () => {
  const { pass } = open();
  expect(await pass('https://typo.example/', FEED)).toMatchObject({ failed: 1, problem: 'there is no such feed' });

  expect(await pass(FEED)).toEqual({ active: 1, failed: 0, problem: undefined });
});
