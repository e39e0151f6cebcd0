import { describe, expect, test } from 'vitest';
import { ConfigError, PlatformError } from '#src/errors.ts';
import { silentLog } from '#src/log.ts';
import type { DeliveryStore } from '#src/engine/delivery/delivery-store.ts';
import { DatabaseUnavailable } from '#src/store/postgres/database-error.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { committing, creating, firing, keysOf, setting } from '../../support/firings.ts';
import { selected } from '../../support/property.ts';
import { runEngine, type RunningEngine } from './running-engine.ts';

const LATER_MS = 40_000;

const POST = firing([creating(['x'], { id: 'post' })]);
const REMOVAL = firing([setting(['x'], { do: 'social.deletePost', reads: ['post'], with: { post: 'r1' } })], {
  section: 'finally',
  occasion: '2',
  sees: [POST.id],
});

/** Work of an engine, and the delivery that has to be sent in the end. */
const WORK: Readonly<Record<string, { readonly id: string | undefined; readonly run: (engine: RunningEngine) => Promise<void> }>> = {
  'a post': { id: keysOf(POST)[0], run: (engine) => engine.commit([POST]) },
  'a post whose answer was lost': {
    id: keysOf(POST)[0],
    async run(engine) {
      engine.platform.nextFailures.set('x', ['answerLost']);
      await engine.commit([POST]);
    },
  },
  'a removal': {
    id: keysOf(REMOVAL)[0],
    async run(engine) {
      await engine.commit([POST]);
      await engine.commit([REMOVAL]);
    },
  },
  'a post of a lost state': {
    id: keysOf(POST)[0],
    async run(engine) {
      const { restores } = engine.store;
      await restores.note();
      await restores.begin();
      const { key = '' } = POST.steps[0] ?? {};
      engine.platform.records.push({ id: 'r1', account: 'x', do: 'social.createPost', key, params: {}, atMs: engine.clock.nowMs() });
      await engine.commit([POST]);
    },
  },
};

const OUTAGES = {
  'the database does not answer': new DatabaseUnavailable(new Error('terminated')),
  'the file is damaged': new ConfigError('the state cannot be opened: it is damaged', { file: 'state.sqlite' }),
};

/** A store whose reads of deliveries count, and of which one fails. */
function withOutage(store: Store, fails: (read: number) => void): Store {
  let reads = 0;
  const writes = new Set<string>(['claim', 'change', 'reopen', 'retryRefused'] satisfies (keyof DeliveryStore)[]);
  const entries = Object.entries(store.deliveries).map(([name, use]: [string, (...options: unknown[]) => unknown]) => {
    if (writes.has(name)) return [name, use];
    return [
      name,
      async (...options: unknown[]) => {
        fails(++reads);
        return use(...options);
      },
    ];
  });
  const deliveries = Object.fromEntries(entries) as DeliveryStore; // it has the same functions
  return { ...store, deliveries, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

/** Does the work while one read of the state fails. Returns the number of reads and the resulting delivery. */
async function workWithOutage(work: (typeof WORK)[string], error: Error, failing: number) {
  let count = 0;
  await using running = await runEngine({
    maxPauseMs: 30_000,
    store: async (clock) =>
      withOutage(await openStore({ clock }), (read) => {
        count = read;
        if (read === failing) throw error;
      }),
  });
  await work.run(running);
  await running.clock.advance(LATER_MS);
  const { items } = await running.store.deliveryLog.list({ limit: 10, idle: true });
  const sent = items.find(({ id }) => id === work.id);
  return { count, state: sent?.state, error: sent?.error, records: running.platform.records.length };
}

test.for(
  selected(
    Object.entries(OUTAGES).flatMap(([outage, error]) => Object.entries(WORK).map(([name, work]) => [name, outage, work, error] as const)),
    5,
  ),
)('%s is sent once, even if a read of the state fails: %s', async ([, , work, error]) => {
  const { count, ...calm } = await workWithOutage(work, error, 0);
  expect(calm).toMatchObject({ state: 'sent', error: undefined });
  expect(count).toBeGreaterThan(4);

  for (let failing = 1; failing <= count; failing++) {
    const { count: _, ...disturbed } = await workWithOutage(work, error, failing);
    expect(disturbed, `read ${failing}`).toEqual(calm);
  }
});

describe.for([
  ['creates', POST],
  ['sets', REMOVAL],
] as const)('an attempt that %s', ([, fired]) => {
  test.for(['attempt', 'search'] as const)('is repeated if the database does not answer during the %s', async (when) => {
    await using running = await runEngine();
    const { nextFailures, searchErrors, records } = running.platform;
    if (fired === REMOVAL) await running.commit([POST]);
    nextFailures.set('x', [when === 'attempt' ? OUTAGES['the database does not answer'] : 'answerLost']);
    searchErrors.push(...(when === 'search' ? [OUTAGES['the database does not answer']] : []));

    await running.commit([fired]);
    await running.clock.advance(LATER_MS);

    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'sent', error: undefined });
    expect(records.filter(({ key }) => key === keysOf(fired)[0])).toHaveLength(1);
  });
});

test('a lost connection delays a delivery by seconds, even if no notification follows', async () => {
  let failures = 0;
  await using running = await runEngine({
    maxPauseMs: 30_000,
    async store(clock) {
      const store = await openStore({ clock });
      const deliveries: DeliveryStore = {
        ...store.deliveries,
        async due(...options) {
          if (failures-- > 0) throw new DatabaseUnavailable(new Error('terminated'));
          return store.deliveries.due(...options);
        },
      };
      return { ...store, deliveries, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
    },
  });
  await running.commit([firing([creating(['x'])], { episode: 'first' })]);
  await running.clock.advance(1_000);
  expect(running.platform.records).toHaveLength(1);

  failures = 1;
  // Another process decides it, so it does not begin with its commit.
  await running.store.ruleStates.commit(committing([firing([creating(['x'])], { episode: 'second' })], { slotMs: running.clock.nowMs() }));
  running.engine.wake();
  await running.clock.advance(3_000);

  expect(running.platform.records).toHaveLength(2);
});

/** An engine whose log counts failures of its store, which are those of a full disk while `isFull`. */
async function runWithDisk() {
  const disk = { isFull: false };
  const errors: string[] = [];
  const running = await runEngine({
    log: { ...silentLog, error: (_fields, message) => errors.push(message) },
    async store(clock) {
      const store = await openStore({ clock });
      const deliveries: DeliveryStore = {
        ...store.deliveries,
        async change(...options) {
          if (disk.isFull) throw new DatabaseUnavailable(new Error('the disk is full'));
          return store.deliveries.change(...options);
        },
      };
      return { ...store, deliveries, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
    },
  });
  return { running, disk, errors };
}

test.for([
  { seconds: 30, sent: 12 },
  { seconds: 90, sent: 0 },
])('after $seconds seconds with a full disk, $sent of 12 posts with a minute of time are sent', async ({ seconds, sent }) => {
  const { running: engine, disk, errors } = await runWithDisk();
  await using running = engine;
  const posts = Array.from({ length: 12 }, (_, index) => firing([creating(['x'], { maxAgeMs: 60_000 })], { episode: `stream ${index}` }));
  await running.store.ruleStates.commit(committing(posts));

  disk.isFull = true;
  running.engine.wake();
  await running.clock.advance(seconds * 1_000);
  disk.isFull = false;
  await running.clock.advance(10_000);

  expect(running.platform.records).toHaveLength(sent);
  const states = new Set((await running.states()).map(([, state]) => state));
  expect([...states]).toEqual([sent > 0 ? 'sent' : 'skipped']);
  expect(errors).toEqual(['a delivery could not be stored; Fanfare retries']);
});

test('each outage is logged, even if the delivery of the first one was withdrawn in the meantime', async () => {
  const { running: engine, disk, errors } = await runWithDisk();
  await using running = engine;
  const logged: number[] = [];
  for (const rule of ['live', 'other']) {
    disk.isFull = true;
    const slotMs = running.clock.nowMs();
    await running.store.ruleStates.commit(committing([firing([creating(['x'])], { rule, occasion: rule })], { rule, slotMs }));
    running.engine.wake();
    await running.clock.advance(10_000);
    await running.store.ruleStates.changePauses([rule], { pause: { by: 'ada' } });
    disk.isFull = false;
    await running.clock.advance(60 * 60_000);
    logged.push(errors.length);
  }

  expect(logged).toEqual([1, 2]);
});

test('after a restore, a full disk does not repeat the search before the post', async () => {
  const { running: engine, disk } = await runWithDisk();
  await using running = engine;
  await running.store.restores.note();
  await running.store.restores.begin();
  await running.store.ruleStates.commit(committing([POST]));

  disk.isFull = true;
  running.engine.wake();
  await running.clock.advance(60_000);
  const { searches } = running.platform;
  disk.isFull = false;
  await running.clock.advance(10_000);

  expect([searches, running.platform.records.length]).toEqual([1, 1]);
});

test('after a restore and an outage, an attempt that another process has begun is not made twice', async () => {
  const { running: engine, disk } = await runWithDisk();
  await using running = engine;
  await running.store.restores.note();
  await running.store.restores.begin();
  await running.store.ruleStates.commit(committing([POST]));

  disk.isFull = true;
  running.engine.wake();
  await running.clock.advance(2_500);
  disk.isFull = false;
  const [id = ''] = keysOf(POST);
  const waiting = await running.store.deliveries.find(id);
  const attemptedAt = new Date(running.clock.nowMs());
  if (waiting) await running.store.deliveries.change(waiting, { state: 'sending', attempts: 1, attemptedAt, searchSince: undefined });
  await running.clock.advance(2_000);

  expect(waiting?.state).toBe('pending');
  expect(running.platform.records).toEqual([]);
});

test.for([
  ['sent', [], ['sent']],
  ['failed', ['forbidden'], ['could not be sent']],
  ['pending', ['unreachable'], ['not sent yet; Fanfare retries', 'sent']],
] as const)('the outcome %s is logged and published once, even if the answer to its write was lost', async ([state, faults, expected]) => {
  const logged: string[] = [];
  const note = (_: object, message: string) => logged.push(message);
  let losses = 1;
  await using running = await runEngine({
    log: { ...silentLog, info: note, warn: note, error: (_, message) => message.includes('stored') || logged.push(message) },
    async store(clock) {
      const store = await openStore({ clock });
      const deliveries: DeliveryStore = {
        ...store.deliveries,
        async change(...options) {
          const changed = await store.deliveries.change(...options);
          if (changed?.state === state && losses-- > 0) throw new DatabaseUnavailable(new Error('terminated'));
          return changed;
        },
      };
      return { ...store, deliveries, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
    },
  });
  running.platform.nextFailures.set(
    'x',
    faults.map((fault) => new PlatformError('no', { platform: 'x', fault })),
  );

  await running.commit([POST]);
  await running.clock.advance(LATER_MS);

  expect(logged).toEqual(expected);
  expect(running.changes.filter((one) => one.state === state)).toHaveLength(1);
});

describe('a beginning that was stored, although its answer was lost', () => {
  /** An engine on a platform without a search, whose store loses the answer to one beginning, and then does not answer for `outageMs`. */
  async function runWithLoss(outageMs: number, { attempt = 1 } = {}) {
    let endMs: number | undefined;
    return runEngine({
      traits: { deduplicates: false, finds: 'nothing' },
      async store(clock) {
        const store = await openStore({ clock });
        function fail(): void {
          if (endMs !== undefined && clock.nowMs() < endMs) throw new DatabaseUnavailable(new Error('terminated'));
        }
        const deliveries: DeliveryStore = {
          ...store.deliveries,
          async find(...options) {
            fail();
            return store.deliveries.find(...options);
          },
          async change(...options) {
            fail();
            const changed = await store.deliveries.change(...options);
            if (changed?.state === 'sending' && changed.attempts === attempt) endMs ??= clock.nowMs() + outageMs;
            if (endMs === clock.nowMs() + outageMs) throw new DatabaseUnavailable(new Error('terminated'));
            return changed;
          },
        };
        return { ...store, deliveries, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
      },
    });
  }

  const TIMED = firing([creating(['x'], { id: 'post', maxAgeMs: 60_000 })]);

  test.for([
    { seconds: 1, state: 'sent', records: 1 },
    { seconds: 30, state: 'sent', records: 1 },
    { seconds: 90, state: 'skipped', records: 0 },
  ])('is decided again after $seconds seconds', async ({ seconds, state, records }) => {
    await using running = await runWithLoss(seconds * 1_000);
    await running.store.ruleStates.commit(committing([TIMED]));
    running.engine.wake();
    await running.clock.advance(seconds * 1_000 + 10_000);

    expect(await running.find(keysOf(TIMED)[0])).toMatchObject({ state, attempts: records });
    expect(running.platform.records).toHaveLength(records);
  });

  test('counts neither as an attempt nor as a failed one', async () => {
    await using running = await runWithLoss(30_000, { attempt: 2 });
    const [id = ''] = keysOf(POST);
    running.platform.nextFailures.set('x', ['rateLimited', 'rateLimited']);
    await running.store.ruleStates.commit(committing([POST]));
    running.engine.wake();
    await running.clock.advance(3 * 60_000);

    expect(await running.find(id)).toMatchObject({ state: 'sent', attempts: 3 });
    expect(await running.store.deliveryLog.failedAttempts(id)).toHaveLength(2);
  });

  test.for([
    ['deleted', (store: Store) => store.ruleStates.retire('live')],
    ['paused', (store: Store) => store.ruleStates.changePauses(['live'], { pause: { by: 'ada' } })],
  ] as const)('ends if its rule is %s in the meantime', async ([, change]) => {
    await using running = await runWithLoss(30_000);
    await running.store.ruleStates.commit(committing([TIMED]));
    running.engine.wake();
    await running.clock.advance(2_000);
    await change(running.store);
    await running.clock.advance(10 * 60_000);

    expect(await running.find(keysOf(TIMED)[0])).toMatchObject({ state: 'skipped' });
    expect(running.changes.at(-1)).toMatchObject({ state: 'skipped' });
    expect(running.platform.records).toHaveLength(0);
  });
});

test('a lane that is lost in an outage, with many posts under way, ends without an error that ends the process', async () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', onUnhandled);
  const lost = new AbortController();
  const { promise: answer, resolve: respond } = Promise.withResolvers<void>();
  let prepared = 0;
  const isOut = (): boolean => prepared > 12;
  function connected(): void {
    if (isOut()) throw new DatabaseUnavailable(new Error('terminated'));
  }
  await using running = await runEngine({
    lanes: { run: (work) => work({ account: 'x', signal: lost.signal, assertHeld: () => undefined }), wake: () => undefined },
    async store(clock) {
      const store = await openStore({ clock });
      const deliveries: DeliveryStore = {
        ...store.deliveries,
        async prepare(...options) {
          prepared++;
          connected();
          return store.deliveries.prepare(...options);
        },
        async change(...options) {
          connected();
          return store.deliveries.change(...options);
        },
        async due(...options) {
          if (isOut()) await answer;
          return store.deliveries.due(...options);
        },
      };
      return { ...store, deliveries, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
    },
  });
  const posts = Array.from({ length: 20 }, (_, index) => firing([creating(['x'])], { episode: `stream ${index}` }));
  await running.store.ruleStates.commit(committing(posts));
  running.engine.wake();
  await running.clock.advance(3_000);
  expect(prepared).toBe(20);

  lost.abort(new Error('the lane was lost'));
  await running.clock.advance(0);
  respond();
  await running.stop();
  process.off('unhandledRejection', onUnhandled);

  expect(unhandled).toEqual([]);
});
