import { expect, test, vi } from 'vitest';
import type { ConnectOptions } from '#src/clients/operation/notifier.ts';
import { keepNotified } from '#src/app/keep-notified.ts';
import { createCoverage } from '#src/engine/coverage.ts';
import { createEventBus } from '#src/engine/event-bus.ts';
import { silentLog } from '#src/log.ts';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { makeRule, makeWatched } from '../support/rules.ts';

type Options = Parameters<typeof keepNotified>[0];

/** A process with one rule and one account, whose platform notifies. */
async function open({ works = true } = {}) {
  const store = await openStore();
  const clock = new ManualClock();
  const stopping = new AbortController();
  const firstPolls = Promise.withResolvers<void>();
  const connections: ConnectOptions[] = [];
  const [hurried, measured]: [unknown[], unknown[]] = [[], []];
  const notifier = {
    operations: [{ operation: 'getStreams', parameter: 'users' }],
    connect(options: ConnectOptions) {
      connections.push(options);
      return new Promise<void>((_, reject) => options.signal.addEventListener('abort', () => reject(new Error('stopped'))));
    },
  };
  const rule = makeRule({ watched: makeWatched({ with: { users: ['ada'] } }) });
  const options: Options = {
    config: { publicUrl: undefined, dataDirectory: '.', key: undefined },
    platforms: { streaming: [{ account: 'twitch', notifier }], social: [] } as unknown as Options['platforms'], // nothing else is read
    registry: { running: [rule] },
    scheduler: { hurry: async (rules) => void hurried.push(rules) },
    listSource: { load: async () => ({}) } as unknown as Options['listSource'], // no rule reads a list
    store,
    coverage: createCoverage(),
    measurements: { hinted: (...hint: readonly unknown[]) => void measured.push(hint), notified: (...kind) => void measured.push(kind) },
    eventBus: createEventBus(),
    duties: { works },
    firstPolls: { wait: () => firstPolls.promise },
    clock,
    log: silentLog,
    signal: stopping.signal,
  };
  const running = keepNotified(options);
  return {
    clock,
    connections,
    hurried,
    measured,
    firstPolls,
    running,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      firstPolls.resolve();
      await running;
      await store[Symbol.asyncDispose]();
    },
  };
}

test('a notification brings the poll of its rule forward, from the first polls on', async () => {
  await using process = await open();
  const { clock, connections, hurried, measured, firstPolls } = process;
  await clock.advance(1);
  expect(connections).toEqual([]);

  firstPolls.resolve();
  await vi.waitUntil(() => connections.length === 1, { timeout: 50_000 });
  const [connection] = connections;
  connection?.onNotification('stream.online');
  connection?.onChange({ operation: 'getStreams', names: ['Ada'] });
  await clock.advance(1_000);

  expect(measured).toEqual([['twitch', 'stream.online'], ['twitch']]);
  expect(hurried).toEqual([[{ rule: 'live', names: ['ada'], accounts: ['twitch'] }]]);
  connection?.onChange({ operation: 'getStreams', names: ['grace'] });
  await clock.advance(1_000);
  expect(hurried).toHaveLength(1);
});

test('a process that does not poll connects to no platform', async () => {
  await using process = await open({ works: false });
  process.firstPolls.resolve();
  await process.running;

  expect(process.connections).toEqual([]);
});
