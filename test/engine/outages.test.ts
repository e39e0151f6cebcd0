import { expect, test } from 'vitest';
import { createOutageLog, type Access } from '#src/engine/outages.ts';
import { PlatformError, type Fault } from '#src/errors.ts';
import { silentLog } from '#src/log.ts';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../support/manual-clock.ts';

const MINUTE_MS = 60_000;

async function open() {
  const clock = new ManualClock();
  const store = await openStore({ clock });
  const puts: number[] = [];
  const put: typeof store.outages.put = async (outage) => {
    puts.push(outage.seenMs);
    await store.outages.put(outage);
  };
  const watching = () => createOutageLog({ store: { ...store.outages, put }, clock, log: silentLog });
  let watch = watching();
  const fail = (account: string, access: Access, fault: Fault = 'unavailable'): Promise<unknown> =>
    watch(account, () => Promise.reject(new PlatformError(`${account} is down`, { platform: account, fault })), access).catch(
      () => undefined,
    );
  const succeed = (account: string, access: Access): Promise<unknown> => watch(account, () => Promise.resolve(1), access);
  return {
    clock,
    puts,
    fail,
    succeed,
    restart: () => (watch = watching()),
    all: async () => (await store.outages.all()).map(({ account, access, sinceMs }) => [account, access, sinceMs]),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

test('an outage lasts from the first failure to the next success of the same access', async () => {
  await using it = await open();
  const startMs = it.clock.nowMs();
  await it.fail('twitch', 'read');
  await it.clock.advance(5 * MINUTE_MS);
  await it.fail('twitch', 'read');
  await it.succeed('twitch', 'write');
  await it.succeed('x', 'read');

  expect(await it.all()).toEqual([['twitch', 'read', startMs]]);
  await it.succeed('twitch', 'read');
  expect(await it.all()).toEqual([]);
});

test.for(['forbidden', 'missing', 'rejected', 'duplicate'] as const)(
  'the fault %s concerns one request, and is no outage',
  async (fault) => {
    await using it = await open();
    await it.fail('x', 'write', fault);

    expect(await it.all()).toEqual([]);
  },
);

test('an outage continues after a restart, and ends with a success', async () => {
  await using it = await open();
  const startMs = it.clock.nowMs();
  await it.fail('twitch', 'read');
  it.restart();
  await it.clock.advance(MINUTE_MS);
  await it.fail('twitch', 'read');
  expect(await it.all()).toEqual([['twitch', 'read', startMs]]);

  it.restart();
  await it.succeed('twitch', 'read');
  expect(await it.all()).toEqual([]);
});

test('an outage is stored at its first failure and then once a minute', async () => {
  await using it = await open();
  const startMs = it.clock.nowMs();
  for (let failures = 0; failures < 13; failures++) {
    await it.fail('twitch', 'read');
    await it.clock.advance(10_000);
  }

  expect(it.puts).toEqual([startMs, startMs + MINUTE_MS, startMs + 2 * MINUTE_MS]);
});

test('the outage of an account that is no longer used ends after a day', async () => {
  await using it = await open();
  await it.fail('twitch', 'read');
  await it.clock.advance(24 * 60 * MINUTE_MS + 1);
  await it.succeed('x', 'read');

  expect(await it.all()).toEqual([]);
});

test('a database that fails changes no use', async () => {
  const clock = new ManualClock();
  const broken = () => Promise.reject(new Error('disk full'));
  const watch = createOutageLog({ store: { all: broken, put: broken, end: broken, drop: broken }, clock, log: silentLog });

  expect(await watch('x', () => Promise.resolve(7), 'read')).toBe(7);
  await expect(
    watch('x', () => Promise.reject(new PlatformError('down', { platform: 'x', fault: 'unavailable' })), 'write'),
  ).rejects.toThrow('down');
});
