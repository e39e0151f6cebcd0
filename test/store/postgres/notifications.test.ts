import { getEventListeners } from 'node:events';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { silentLog } from '#src/log.ts';
import { openNotifications, type Notifications } from '#src/store/postgres/notifications.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { createDatabase } from '../../support/postgres-database.ts';

/** A condition that statements fulfil soon. */
const SOON = { interval: 3 };

const postgres = await createDatabase();
const client = new pg.Client(postgres.url);
await client.connect();
afterAll(async () => {
  await client.end();
  await postgres[Symbol.asyncDispose]();
});

interface Process extends AsyncDisposable {
  readonly notifications: Notifications;
  readonly clock: ManualClock;
  /** The messages that its listener got, in order. */
  readonly received: unknown[];
  /** The payloads that it sent. */
  readonly payloads: string[];
  /** The errors of its next notifications, in order. */
  readonly failures: Error[];
}

let channels = 0;

/** Starts processes that listen on one channel. */
async function listen(...workers: readonly string[]): Promise<readonly Process[]> {
  // PostgreSQL may still be closing the connections of the test before.
  await expect.poll(listeners, SOON).toEqual([]);
  const channel = `channel ${++channels}`;
  return Promise.all(workers.map((worker) => listenOn(channel, worker)));
}

async function listenOn(channel: string, worker: string): Promise<Process> {
  const clock = new ManualClock();
  const [received, payloads, failures]: [unknown[], string[], Error[]] = [[], [], []];
  const notifications = openNotifications({
    url: postgres.url,
    channel,
    worker,
    async notify(payload) {
      payloads.push(payload);
      const failure = failures.shift();
      if (failure) throw failure;
      await client.query('select pg_notify($1, $2)', [channel, payload]);
    },
    clock,
    log: silentLog,
  });
  notifications.subscribe((message) => received.push(message));
  const stop = new AbortController();
  const running = notifications.run(stop.signal);
  await expect.poll(() => received, SOON).toEqual([{ kind: 'missed' }]);
  received.length = 0;
  return {
    notifications,
    clock,
    received,
    payloads,
    failures,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
      await clock.advance(10);
      await notifications[Symbol.asyncDispose]();
    },
  };
}

/** The connections that listen. */
async function listeners(): Promise<readonly { readonly pid: number; readonly query: string }[]> {
  return (await client.query("select pid, query from pg_stat_activity where application_name = 'fanfare notifications' order by pid")).rows;
}

const lane = (account: string) => ({ kind: 'lane', account }) as const;

describe('a message', () => {
  test('reaches the other processes', async () => {
    const [one, two] = await listen('one', 'two');
    if (!one || !two) throw new Error('there are two processes');
    await using stack = new AsyncDisposableStack();
    for (const process of [one, two]) stack.use(process);

    one.notifications.send(lane('x'));
    one.notifications.send({ kind: 'rules' });
    one.notifications.send(lane('x'));
    await one.clock.advance(9);
    expect(one.payloads).toEqual([]);
    await one.clock.advance(1);
    await expect.poll(() => two.received, SOON).toEqual([lane('x'), { kind: 'rules' }]);
    expect(one.payloads).toHaveLength(1);
    expect(one.received).toEqual([]);

    two.notifications.announce(lane('y'));
    expect(two.received.at(-1)).toEqual(lane('y'));
    await two.clock.advance(10);
    await expect.poll(() => one.received, SOON).toEqual([lane('y')]);
    expect(two.received).toHaveLength(3);
  });

  test('is sent in another notification if one is too short for all messages', async () => {
    const [one, two] = await listen('one', 'two');
    if (!one || !two) throw new Error('there are two processes');
    await using stack = new AsyncDisposableStack();
    for (const process of [one, two]) stack.use(process);
    // Three bytes for each character.
    const names = Array.from({ length: 60 }, (_, index) => `${'名'.repeat(index * 10)}${index}`);
    for (const name of names) one.notifications.send(lane(name));
    await one.clock.advance(10);

    await expect.poll(() => two.received.length, SOON).toBe(60);
    expect(two.received).toEqual(names.map(lane));
    expect(one.payloads.every((payload) => Buffer.byteLength(payload) < 8_000)).toBe(true);
    expect(one.payloads.length).toBeLessThan(20);
  });

  test('of 2,000 characters is sent, and a longer one is not', async () => {
    const [one, two] = await listen('one', 'two');
    if (!one || !two) throw new Error('there are two processes');
    await using stack = new AsyncDisposableStack();
    for (const process of [one, two]) stack.use(process);
    const longest = '名'.repeat(2_000 - JSON.stringify(lane('')).length);
    for (const name of ['before', `${longest}名`, longest, 'after']) one.notifications.send(lane(name));
    await one.clock.advance(10);

    await expect.poll(() => two.received, SOON).toEqual([lane('before'), lane(longest), lane('after')]);
  });

  test('that cannot be sent delays no later one', async () => {
    const [one, two] = await listen('one', 'two');
    if (!one || !two) throw new Error('there are two processes');
    await using stack = new AsyncDisposableStack();
    for (const process of [one, two]) stack.use(process);
    one.failures.push(new Error('the database does not answer'));
    one.notifications.send(lane('lost'));
    await one.clock.advance(10);
    one.notifications.send(lane('x'));
    await one.clock.advance(10);

    await expect.poll(() => two.received, SOON).toEqual([lane('x')]);
  });

  test('is sent before its process ends', async () => {
    const [one] = await listen('one');
    if (!one) throw new Error('there is a process');
    await using _ = one;
    one.notifications.send(lane('x'));
    const sentAtEnd = one.notifications[Symbol.asyncDispose]().then(() => one.payloads.length);
    await one.clock.advance(10);

    expect(await sentAtEnd).toBe(1);
  });
});

describe('missed notifications are detected', () => {
  test('after a lost connection', async () => {
    const [one] = await listen('one');
    await using process = one;
    const [before] = await listeners();
    await client.query('select pg_terminate_backend($1)', [before?.pid]);
    // The check of the lost connection and the wait before the next one.
    await expect.poll(() => process?.clock.sleeping, SOON).toBe(2);
    await process?.clock.advance(999);
    expect(process?.received).toEqual([]);

    await process?.clock.advance(1);
    await expect.poll(() => process?.received, SOON).toEqual([{ kind: 'missed' }]);
    expect((await listeners()).map(({ pid }) => pid)).not.toContain(before?.pid);
  });

  test('because a silent connection is checked every 5 seconds', async () => {
    const [one] = await listen('one');
    await using process = one;
    for (let round = 0; round < 2; round++) {
      await expect.poll(() => process?.clock.sleeping, SOON).toBe(1);
      await process?.clock.advance(4_999);
      const [{ pid } = { pid: 0 }] = await listeners();
      const changed = async () =>
        (
          await client.query<{ readonly at: string }>('select extract(epoch from query_start) as at from pg_stat_activity where pid = $1', [
            pid,
          ])
        ).rows[0]?.at;
      const before = await changed();
      await process?.clock.advance(1);
      await expect.poll(changed, SOON).not.toBe(before);
      expect((await listeners())[0]?.query).toBe('select 1');
    }
  });

  test('until the process stops listening', async () => {
    const [one] = await listen('one');
    const removed: unknown[] = [];
    one?.notifications.subscribe((message) => removed.push(message))();
    one?.notifications.announce(lane('x'));
    expect(removed).toEqual([]);
    await one?.[Symbol.asyncDispose]();
    await expect.poll(listeners, SOON).toEqual([]);
    expect(one?.clock.sleeping).toBe(0);
    expect(one?.payloads).toHaveLength(1);
  });
});

test('a signal keeps no listener of connections that failed', async () => {
  const stop = new AbortController();
  const kept: number[] = [];
  const notifications = openNotifications({
    url: 'postgres://127.0.0.1:1/nothing',
    channel: 'none',
    worker: 'one',
    notify: async () => undefined,
    clock: { nowMs: () => 0, sleep: async () => undefined },
    log: {
      ...silentLog,
      debug() {
        kept.push(getEventListeners(stop.signal, 'abort').length);
        if (kept.length === 3) stop.abort();
      },
    },
  });

  await notifications.run(stop.signal);

  expect(kept).toEqual([0, 0, 0]);
});
