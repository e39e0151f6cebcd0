import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { POST_RULE, type CommitPost } from '#src/engine/posting/posts.ts';
import { DatabaseUnavailable } from '#src/store/postgres/database-error.ts';
import { openPostgresStore, type PostgresStore } from '#src/store/postgres/open.ts';
import { find } from '../../contract/delivery-steps.ts';
import { committing, creating, episodeOf, firing, keysOf, SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';

const MINUTE_MS = 60_000;
const ROUNDS = 25;

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

/** Two workers on one new schema. */
async function openWorkers() {
  const [schema, clock] = [postgres.newSchema(), new ManualClock(SLOT_MS)];
  const [one, other] = await Promise.all([1, 2].map(() => openPostgresStore({ url: postgres.url, schema, clock })));
  if (!one || !other) throw new Error('there are two workers');
  return {
    one,
    other,
    clock,
    [Symbol.asyncDispose]: async () => void (await Promise.all([one, other].map((store) => store[Symbol.asyncDispose]()))),
  };
}

const pendingOf = async ({ deliveryLog }: PostgresStore) => (await deliveryLog.list({ state: 'pending', limit: 1_000 })).items;

test('eight workers that start at once migrate the schema once', async () => {
  const schema = postgres.newSchema();

  const stores = await Promise.all(Array.from({ length: 8 }, () => openPostgresStore({ url: postgres.url, schema })));

  expect(await Promise.all(stores.map((store) => store.decisions.counts()))).toEqual(stores.map(() => []));
  await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()));
});

describe('two workers', () => {
  test('commit each slot once', async () => {
    await using workers = await openWorkers();
    const both = [workers.one, workers.other];
    const written: (readonly boolean[])[] = [];

    for (let round = 1; round <= ROUNDS; round++) {
      const commits = both.map(async ({ ruleStates }, worker) => {
        const { slotMs: afterMs = 0 } = await ruleStates.load('live');
        const fired = firing([creating(['x'])], { occasion: `${round}/${worker}` });
        // The slots differ, because each worker computes the instant of a wake-up.
        return ruleStates.commit(committing([fired], { slotMs: SLOT_MS + round * MINUTE_MS + worker, afterMs }));
      });
      written.push(await Promise.all(commits));
    }

    // A worker that loads after the commit of the other one computes the next slot, which is a valid commit.
    const count = written.flat().filter(Boolean).length;
    expect(written.every((pair) => pair.includes(true))).toBe(true);
    expect(await pendingOf(workers.one)).toHaveLength(count);
  });

  test('that loaded the same state commit one slot', async () => {
    await using workers = await openWorkers();
    const both = [workers.one, workers.other];
    let afterMs = 0;

    for (let round = 1; round <= ROUNDS; round++) {
      const slotMs = SLOT_MS + round * MINUTE_MS;
      const change = { memory: { firings: round, firedMs: {} }, put: [episodeOf(`ada@${round}`)], drop: [] };
      const commits = both.map(({ ruleStates }, worker) =>
        ruleStates.commit(
          committing([firing([creating(['x'])], { occasion: `${round}/${worker}` })], { slotMs: slotMs + worker, afterMs, change }),
        ),
      );
      expect((await Promise.all(commits)).filter(Boolean)).toHaveLength(1);
      afterMs = (await workers.one.ruleStates.load('live')).slotMs ?? 0;
    }

    expect(await pendingOf(workers.one)).toHaveLength(ROUNDS);
  });

  test('change a delivery once', async () => {
    await using workers = await openWorkers();
    await workers.one.ruleStates.commit(committing([firing([creating(Array.from({ length: ROUNDS }, (_, index) => `x${index}`))])]));

    for (const delivery of await pendingOf(workers.one)) {
      const begun = [workers.one, workers.other].map((store) => store.deliveries.change(delivery, { state: 'sending', attempts: 1 }));
      expect((await Promise.all(begun)).filter((one) => one !== undefined)).toHaveLength(1);
    }

    expect(await workers.other.deliveryLog.counts()).toEqual([{ state: 'sending', count: ROUNDS }]);
  });

  test('withdraw no delivery that the other one has begun', async () => {
    await using workers = await openWorkers();
    for (let round = 1; round <= ROUNDS; round++) {
      const rule = `rule ${round}`;
      const fired = firing([creating(['x'])], { rule });
      await workers.one.ruleStates.commit(committing([fired], { rule }));
      const delivery = await find(workers.one, keysOf(fired)[0]);

      const [begun] = await Promise.all([
        workers.one.deliveries.change(delivery, { state: 'sending' }),
        workers.other.ruleStates.changePauses([rule], { pause: { by: 'ada' } }),
      ]);

      const { state } = await find(workers.one, delivery.id);
      expect(state).toBe(begun ? 'sending' : 'skipped');
    }
  });

  test('repeat no delivery that the other one withdraws', async () => {
    await using workers = await openWorkers();
    for (let round = 1; round <= ROUNDS; round++) {
      const rule = `rule ${round}`;
      const fired = firing([creating(['x'])], { rule });
      await workers.one.ruleStates.commit(committing([fired], { rule }));
      const begun = await workers.one.deliveries.change(await find(workers.one, keysOf(fired)[0]), { state: 'sending' });
      if (!begun) throw new Error('the delivery was not begun');

      await Promise.all([
        workers.one.deliveries.change(begun, { state: 'pending' }),
        workers.other.ruleStates.changePauses([rule], { pause: { by: 'ada' } }),
      ]);

      expect(await find(workers.one, begun.id)).toMatchObject({ state: 'skipped', message: 'ada paused the rule' });
    }
  });

  test('leave no delivery of a rule that is paused during a commit', async () => {
    await using workers = await openWorkers();
    for (let round = 1; round <= ROUNDS; round++) {
      const rule = `rule ${round}`;
      await Promise.all([
        workers.one.ruleStates.commit(committing([firing([creating(['x'])], { rule })], { rule })),
        workers.other.ruleStates.changePauses([rule], { pause: { by: 'ada' } }),
      ]);
    }

    expect(await pendingOf(workers.one)).toEqual([]);
  });

  test('assign different times of the queue to the posts of two people', async () => {
    await using workers = await openWorkers();
    const posted = (id: string): CommitPost => ({
      id,
      server: 'home',
      by: { id, name: id },
      text: 'hello',
      isQueued: true,
      chooseTime: (taken) => new Date(SLOT_MS + MINUTE_MS * (1 + taken.size)),
      toFiring: (at) => firing([creating(['x'])], { rule: POST_RULE, episode: id, queue: id, atMs: at.getTime() }),
      toDecision: () => ({ rule: POST_RULE, atMs: SLOT_MS, outcome: 'fired', episode: id, message: 'posted' }),
    });

    const ids = Array.from({ length: ROUNDS }, (_, index) => String(index));
    await Promise.all(ids.flatMap((id) => [workers.one, workers.other].map((store) => store.posts.commit(posted(id)))));

    expect(await workers.one.posts.takenTimes('home')).toHaveLength(ROUNDS);
    expect(await pendingOf(workers.one)).toHaveLength(ROUNDS);
  });

  test('count questions against one quota', async () => {
    await using workers = await openWorkers();
    const quota = { most: 3, withinMs: MINUTE_MS };

    const refused = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        (index % 2 === 0 ? workers.one : workers.other).questionCounts.count(
          { id: String(index), person: '1', server: 'home', nowMs: SLOT_MS },
          { person: quota, server: { most: 100, withinMs: MINUTE_MS } },
        ),
      ),
    );

    expect(refused.filter((one) => one === undefined)).toHaveLength(3);
  });

  test('record the polls of one query, and each result is read unchanged', async () => {
    await using workers = await openWorkers();
    const recorded: unknown[] = [];
    for (let slot = 0; slot < 8; slot++) {
      const slotMs = SLOT_MS + slot * MINUTE_MS;
      const store = slot % 2 === 0 ? workers.one : workers.other;
      // Each worker gets the same answer each time, which differs from the answer of the other one.
      const answer = { items: [{ id: String(slot % 2) }], approximate: false, partialErrors: [] };
      await store.recordedPolls.record('q', { slotMs, params: {}, answer });
      await store.recordedPolls.flush();
      recorded.push({ slotMs, params: {}, answer });
    }

    expect(await Array.fromAsync(workers.one.recordedPolls.read('q', 0))).toEqual(recorded);
    expect(await Array.fromAsync(workers.one.recordedPolls.read('q', SLOT_MS + 5 * MINUTE_MS))).toEqual(recorded.slice(5));
  });

  test('prune while both commit', async () => {
    await using workers = await openWorkers();
    for (let round = 1; round <= ROUNDS; round++) {
      workers.clock.set(SLOT_MS + round * 11 * MINUTE_MS);
      const rules = Array.from({ length: 8 }, (_, index) => `rule ${index}`);
      await Promise.all(
        rules.flatMap((rule) =>
          [workers.one, workers.other].map((store) =>
            store.ruleStates.commit(
              committing([firing([creating(['x'])], { rule, section: 'while', occasion: String(round) })], {
                rule,
                slotMs: workers.clock.nowMs(),
              }),
            ),
          ),
        ),
      );
    }

    expect((await workers.one.deliveryLog.counts())[0]?.state).toBe('pending');
  });
});

test('after a restart of the database, the connections recover and nothing that was committed is lost', async () => {
  await using server = await startPostgres({ isDurable: true });
  await using store = await openPostgresStore({ url: server.url, schema: 'restarted', clock: new ManualClock(SLOT_MS) });
  await store.ruleStates.commit(committing([firing([creating(['x'])])]));
  const commits = Promise.allSettled(
    Array.from({ length: 20 }, (_, index) => store.ruleStates.commit(committing([], { rule: `rule ${index}`, slotMs: SLOT_MS + index }))),
  );

  await server.kill();
  const during = await store.decisions.counts().catch((error: unknown) => error);
  const settled = await commits;
  await server.start();

  expect(during).toBeInstanceOf(DatabaseUnavailable);
  const failures = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(failures.filter((error) => !(error instanceof DatabaseUnavailable))).toEqual([]);
  const slots = await store.ruleStates.lastSlots();
  const confirmed = settled.flatMap((one, index) => (one.status === 'fulfilled' ? [`rule ${index}`] : []));
  expect(confirmed.filter((rule) => !slots.has(rule))).toEqual([]);
  expect(await store.ruleStates.commit(committing([], { slotMs: SLOT_MS + MINUTE_MS }))).toBe(true);
  expect(await pendingOf(store)).toHaveLength(1);
});
