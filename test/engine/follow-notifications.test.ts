import { expect, test } from 'vitest';
import type { ConnectOptions, NotifierReport } from '#src/clients/operation/notifier.ts';
import { createCoverage } from '#src/engine/coverage.ts';
import { followNotifications } from '#src/engine/follow-notifications.ts';
import type { Hint } from '#src/engine/hints.ts';
import { PlatformError } from '#src/errors.ts';
import { silentLog } from '#src/log.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** A platform whose connections end as `connect` does. */
function follow(
  connect: (options: ConnectOptions, count: number) => Promise<void>,
  { isStoreDown = false, names = ['ada'], stored }: { isStoreDown?: boolean; names?: readonly string[]; stored?: string } = {},
) {
  const clock = new ManualClock();
  const stopping = new AbortController();
  const reports: NotifierReport[] = [];
  const warnings: string[] = [];
  const hints: Hint[] = [];
  const connectedAtS: number[] = [];
  const coverage = createCoverage();
  const beganMs = clock.nowMs();
  let held = 0;
  const ended = followNotifications({
    account: 'twitch',
    client: 'streaming',
    notifier: {
      operations: [
        { operation: 'getStreams', parameter: 'users' },
        { operation: 'getUserPosts', parameter: 'user', hasOwn: true },
        { operation: 'getMentions' },
      ],
      connect(options) {
        connectedAtS.push(Math.floor((clock.nowMs() - beganMs) / 1_000));
        expect(held).toBe(1);
        return connect(options, connectedAtS.length);
      },
    },
    names: {
      current: () => Promise.resolve(new Map(names.length > 0 ? [['getStreams', names]] : [])),
      readingChanges: () => Promise.resolve(new Map()),
      changed: (signal) => clock.sleep(60_000, signal),
    },
    store: {
      textOf: () => ({ load: () => Promise.resolve(stored), save: () => Promise.resolve() }),
      report: () => (isStoreDown ? Promise.reject(new Error('the database is down')) : Promise.resolve(reports.at(-1))),
      reports: () => Promise.resolve(new Map()),
      async keepReport(_account, report) {
        if (isStoreDown) throw new Error('the database is down');
        reports.push(report);
      },
      noteNotified: () => Promise.resolve(),
      async claim() {
        held++;
        return { [Symbol.dispose]: () => void held-- };
      },
    },
    coverage,
    onHint: (hint) => void hints.push(hint),
    onNotification: () => undefined,
    clock,
    log: { ...silentLog, warn: (_fields, message) => void warnings.push(message) },
    signal: stopping.signal,
  });
  const stop = async (): Promise<void> => {
    stopping.abort();
    await ended;
    expect(held).toBe(0);
  };
  return { clock, reports, warnings, hints, coverage, connectedAtS, stop };
}

const untilStopped = ({ signal }: ConnectOptions): Promise<void> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

test('the pauses between failed attempts grow, and the third failure is a warning', async () => {
  const { clock, connectedAtS, warnings, reports, stop } = follow(() => Promise.reject(new Error('it was silent')));
  await clock.advance(60 * 60_000);
  await stop();
  const pausesS = connectedAtS.slice(1).map((atS, index) => atS - (connectedAtS[index] ?? 0));
  expect(pausesS.slice(0, 3).every((pauseS, index) => pauseS >= 2 ** index - 1 && pauseS <= 2 ** (index + 1) + 1)).toBe(true);
  expect(Math.max(...pausesS)).toBeLessThanOrEqual(241);
  expect(pausesS.length).toBeGreaterThan(15);
  expect(warnings).toEqual(['the platform does not notify about changes; the rules poll at their slots']);
  expect(reports).toContainEqual({ state: 'failed', problem: 'it was silent', notifiedAt: undefined });
  expect(reports.at(-1)?.state).toBe('stopped');
});

test.for([
  ['rateLimited', [60, 120, 240, 480, 900, 900, 900]],
  ['unavailable', [5, 10, 20, 40, 80, 160, 320, 640, 900, 900]],
] as const)('after the fault %s, the pauses grow up to 15 minutes', async ([fault, expected]) => {
  const { clock, connectedAtS, stop } = follow(() => Promise.reject(new PlatformError('not now', { platform: 'twitch', fault })));
  await clock.advance(60 * 60_000);
  await stop();
  expect(connectedAtS.slice(1).map((atS, index) => atS - (connectedAtS[index] ?? 0))).toEqual(expected.slice(0, connectedAtS.length - 1));
});

test.for([
  ['a refused token', new PlatformError('HTTP 401', { platform: 'twitch', fault: 'unauthorized' }), { fault: 'unauthorized' }],
  ['a lost connection', new Error('it was silent'), {}],
] as const)('the report of %s has its fault', async ([, error, expected]) => {
  const { clock, reports, stop } = follow(() => Promise.reject(error));
  await clock.advance(0);
  expect(reports.at(-1)).toEqual({ state: 'failed', problem: error.message, notifiedAt: undefined, ...expected });
  await stop();
});

test('the time that a platform names is the next attempt', async () => {
  const atMs = new ManualClock().nowMs() + 7 * 60_000;
  const refusal = new PlatformError('not now', { platform: 'twitch', fault: 'rateLimited', retryAt: new Date(atMs) });
  const { clock, connectedAtS, stop } = follow(() => Promise.reject(refusal));
  await clock.advance(8 * 60_000);
  await stop();
  expect(connectedAtS.slice(0, 2)).toEqual([0, 420]);
});

test('after a limit of the credentials, the next attempt comes after an hour', async () => {
  const limited = new PlatformError('no conduit left', { platform: 'twitch', fault: 'quotaExhausted' });
  const { clock, connectedAtS, warnings, reports, stop } = follow(() => Promise.reject(limited));
  await clock.advance(2 * 60 * 60_000);
  expect(connectedAtS).toEqual([0, 3_600, 7_200]);
  expect(warnings).toHaveLength(1);
  expect(reports.at(-1)).toEqual({ state: 'failed', problem: 'no conduit left', fault: 'quotaExhausted', notifiedAt: undefined });
  await stop();
});

test.for([
  ['that lasted for a minute is opened again within two seconds', 60_000, true],
  ['that is ended at once is opened again after growing pauses', 0, false],
] as const)('a connection %s', async ([, lastsMs, isSoon]) => {
  const { clock, connectedAtS, warnings, stop } = follow(async (options) => {
    options.onStatus({ state: 'connected' });
    await clock.sleep(lastsMs, options.signal);
    throw new Error('closed');
  });
  await clock.advance(20 * 60_000);
  const pausesS = connectedAtS.slice(1).map((atS, index) => atS - (connectedAtS[index] ?? 0) - lastsMs / 1_000);
  expect(pausesS.length).toBeGreaterThan(8);
  expect(Math.max(...pausesS) <= 3).toBe(isSoon);
  expect(warnings).toHaveLength(isSoon ? 0 : 1);
  await stop();
});

test('changes become hints about operations of the account', async () => {
  const { clock, hints, stop } = follow((options) => {
    options.onChange({ operation: 'getStreams', names: ['7', 'Ada'] });
    options.onChange({ operation: 'getUserPosts', names: ['', 'ada'] });
    options.onChange({ operation: 'getMentions', names: [''] });
    options.onChange({ operation: 'getStreams' });
    options.onChange();
    return untilStopped(options);
  });
  await clock.advance(0);
  const streams = { account: 'twitch', verb: 'streaming.getStreams' };
  const posts = { account: 'twitch', verb: 'streaming.getUserPosts' };
  const mentions = { account: 'twitch', verb: 'streaming.getMentions' };
  expect(hints).toEqual([
    { ...streams, named: { parameter: 'users', values: ['7', '@7', 'ada', '@ada'], isRequired: true } },
    { ...posts, named: { parameter: 'user', values: ['ada', '@ada'], isRequired: false } },
    mentions,
    streams,
    streams,
    posts,
    mentions,
  ]);
  await stop();
});

test('names are covered while the connection lasts', async () => {
  const { clock, coverage, connectedAtS, stop } = follow(async (options, count) => {
    options.onCovered(new Map([['getStreams', ['linus']]]));
    options.onCovered(new Map([['getStreams', ['Ada', '']]]));
    await clock.sleep(count === 1 ? 1_000 : 3_600_000, options.signal);
    throw new Error('closed');
  });
  const covers = (name: string, verb = 'streaming.getStreams', account = 'twitch'): boolean => coverage.covers({ account, verb, name });
  await clock.advance(0);
  expect(['ada', 'Ada', '', 'linus'].map((name) => covers(name))).toEqual([true, true, true, false]);
  expect([covers('ada', 'streaming.getUser'), covers('ada', 'streaming.getStreams', 'other')]).toEqual([false, false]);
  await clock.advance(1_000);
  expect(covers('ada')).toBe(false);
  await clock.advance(60_000);
  expect(connectedAtS).toHaveLength(2);
  expect(covers('ada')).toBe(true);
  await stop();
  expect(covers('ada')).toBe(false);
});

test('without a name, and without a store, nothing fails', async () => {
  const idle = follow(untilStopped, { names: [] });
  await idle.clock.advance(600_000);
  expect(idle.connectedAtS).toEqual([]);
  expect(idle.reports).toEqual([]);
  await idle.stop();

  const blind = follow(
    (options) => {
      options.onStatus({ state: 'connected' });
      options.onNotification('stream.online');
      return untilStopped(options);
    },
    { isStoreDown: true },
  );
  await blind.clock.advance(0);
  expect(blind.connectedAtS).toEqual([0]);
  await blind.stop();
});

test('the time of the last notification is stored at most once a minute', async () => {
  const { clock, reports, stop } = follow(async (options) => {
    options.onStatus({ state: 'connected', subscriptions: 3 });
    for (let count = 0; count < 180; count++) {
      await clock.sleep(1_000, options.signal);
      options.onNotification('stream.online');
    }
    await untilStopped(options);
  });
  await clock.advance(180_000);
  expect(new Set(reports.flatMap(({ notifiedAt }) => notifiedAt?.getTime() ?? [])).size).toBe(3);
  await stop();
});

test('malformed notifications are logged once, over connections too', async () => {
  const { clock, connectedAtS, warnings, stop } = follow(async ({ onNotification, onStatus }) => {
    onStatus({ state: 'connected' });
    for (const kind of ['malformed', 'post', 'malformed']) onNotification(kind);
    throw new Error('the connection ended');
  });
  await clock.advance(5_000);
  await stop();
  expect(connectedAtS.length).toBeGreaterThan(1);
  expect(warnings.filter((warning) => warning.includes('unknown form'))).toHaveLength(1);
});

test('connections that end at once, although rules watch names, have pauses', async () => {
  const { clock, connectedAtS, stop } = follow(() => Promise.resolve());
  await clock.advance(10_000);
  await stop();

  expect(connectedAtS).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test('without names, one connection removes what an earlier process left at the platform', async () => {
  const asked: number[] = [];
  const { clock, connectedAtS, reports, stop } = follow(
    async (options) => {
      asked.push((await options.names.current()).size);
      options.onStatus({ state: 'connected' });
    },
    { names: [], stored: 'the id at the platform' },
  );
  await clock.advance(3_600_000);
  await stop();

  expect(connectedAtS).toEqual([0]);
  expect(asked).toEqual([0]);
  expect(reports.at(-1)).toMatchObject({ state: 'stopped' });
});
