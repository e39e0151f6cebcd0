import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createDeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import type { LaneLease } from '#src/engine/delivery/lane-lease.ts';
import type { Jobs } from '#src/store/postgres/jobs.ts';
import { createJobs } from '#src/store/postgres/lane-jobs.ts';
import { setLeasesBack } from '#src/store/postgres/set-leases-back.ts';
import { createSharedLanes, type SharedLanes } from '#src/store/postgres/lanes.ts';
import { find } from '../../contract/delivery-steps.ts';
import { FakePlatform } from '../../support/fake-platform.ts';
import { committing, creating, firing, keysOf, renderPlainly, SLOT_MS } from '../../support/firings.ts';
import { startTwoProcesses, type TimedProcess } from './timed-database.ts';

/** A condition that statements fulfil soon. */
const SOON = { interval: 3 };

const { database, one, two, ending, awaitEnd, gate } = await startTwoProcesses();

const AHEAD_MS = 7_200_000;

/** The timer of this process, by which requests end. */
let timerMs = 0;

beforeEach(() => {
  timerMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => timerMs);
});
afterEach(() => void vi.restoreAllMocks());

/** A lane that a process works on until the test ends the work. */
interface Work {
  readonly lease: LaneLease;
  /** Ends the work, because nothing is due. */
  end(): void;
}

interface Sender extends Pick<TimedProcess, 'clock'> {
  readonly lanes: SharedLanes;
  /** All lanes that the process got, in order. */
  readonly got: Work[];
  /** The accounts to which work was added. */
  readonly woken: (string | undefined)[];
  /** Resolves when it has ended. */
  stop(): Promise<void>;
}

/** Lets a process send: it works on each lane that it gets. `knowsLostJobs: false`: it does not hear that another worker has a job. */
function send(process: TimedProcess, { share = 1, hangs = false, knowsLostJobs = true } = {}): Sender {
  const { signal: never } = new AbortController();
  const deaf: Jobs = {
    ...process.jobs,
    work<T>(...[queue, { run, ...more }]: Parameters<typeof process.jobs.work<T>>) {
      return process.jobs.work<T>(queue, { ...more, run: (job) => run(job, never) });
    },
  };
  const lanes = createSharedLanes({ ...process, jobs: knowsLostJobs ? process.jobs : deaf, share: () => share });
  const [got, woken, stop]: [Work[], (string | undefined)[], AbortController] = [[], [], new AbortController()];
  const signal = AbortSignal.any([stop.signal, ending()]);
  const work = async (lease: LaneLease): Promise<void> => {
    const { promise, resolve: end } = gate();
    got.push({ lease, end });
    const over = hangs ? [ending()] : [lease.signal, lease.leaving ?? signal, signal];
    AbortSignal.any(over).addEventListener('abort', () => end(), { once: true });
    // A lane can arrive after the end.
    if (over.some(({ aborted }) => aborted)) end();
    await promise;
  };
  const running = lanes.run(work, { onWork: (account) => woken.push(account), onWait: () => undefined, signal });
  awaitEnd(running);
  return { clock: process.clock, lanes, got, woken, stop: () => (stop.abort(), running) };
}

let firings = 0;

/** Commits a post through each account. */
async function commit({ store }: TimedProcess, ...accounts: readonly string[]): Promise<readonly string[]> {
  const fired = firing([creating(accounts)], { rule: `rule-${++firings}` });
  await store.ruleStates.commit(committing([fired], { rule: `rule-${firings}` }));
  return keysOf(fired);
}

const lane = (account = 'x') =>
  database.db.selectFrom('lane').select(['holder', 'token', 'since_ms', 'until_ms']).where('account', '=', account).executeTakeFirst();

/** The jobs of lanes that did not end: account, state and seconds until the start. */
async function jobs(): Promise<readonly (readonly [account: string, state: string, inSeconds: number])[]> {
  const { rows } = await sql<{ readonly account: string; readonly state: string; readonly ms: number }>`
    select singleton_key as account, state::text as state, extract(epoch from start_after)::float8 * 1000 - ${database.nowMs()} as ms
    from ${sql.id(database.jobsSchema, 'job')} where name = 'lanes' and state <= 'active' order by singleton_key`.execute(database.db);
  return rows.map(({ account, state, ms }) => [account, state, ms / 1000]);
}

/** The lanes that a process got, after it looked for the jobs that pg-boss gave away. */
async function tokensOf(sender: Sender): Promise<readonly unknown[]> {
  await sender.clock.advance(100);
  return tokens(sender);
}

/** The timers of a worker, beside one for each of its lanes. */
const TIMERS = 5;

/** Resolves when a worker waits for its clock. A running statement would miss later changes, and its timer would start late. */
async function untilAsleep({ clock, lanes }: Sender): Promise<void> {
  await expect.poll(() => clock.sleeping - lanes.held().length, SOON).toBe(TIMERS);
}

const tokens = ({ got }: Sender): readonly unknown[] => got.map(({ lease: { account, token } }) => [account, token]);
/** The tokens of a worker that got the lane of `x` twice. */
const CLAIMED_TWICE = [
  ['x', 1],
  ['x', 2],
];

describe('a lane', () => {
  test('has a holder for 12 seconds, and each holder a higher token', async () => {
    const sender = send(one);
    await commit(one, 'x');
    await expect.poll(() => tokens(sender), SOON).toEqual([['x', 1]]);
    expect(await lane()).toEqual({ holder: 'one', token: 1, since_ms: SLOT_MS, until_ms: SLOT_MS + 12_000 });

    await database.advance(6_000, one);
    expect(sender.lanes.held()).toEqual([{ account: 'x', heldMs: 6_000 }]);
    sender.got[0]?.end();
    await expect.poll(() => lane(), SOON).toEqual({ holder: null, token: 1, since_ms: SLOT_MS, until_ms: SLOT_MS + 6_000 });
    expect(sender.lanes.held()).toEqual([]);

    await database.advance(500, one);
    await commit(one, 'x');
    await expect.poll(() => tokens(sender), SOON).toEqual(CLAIMED_TWICE);
    expect(await lane()).toEqual({ holder: 'one', token: 2, since_ms: SLOT_MS + 6_500, until_ms: SLOT_MS + 18_500 });
  });

  test('is renewed every 3 seconds', async () => {
    const sender = send(one);
    await commit(one, 'x', 'y');
    await expect.poll(() => sender.got, SOON).toHaveLength(2);
    timerMs = 2_999;
    await database.advance(2_999, one);
    expect(await lane()).toMatchObject({ until_ms: SLOT_MS + 12_000 });
    timerMs = 3_000;
    await database.advance(1, one);
    for (const account of ['x', 'y']) await expect.poll(() => lane(account), SOON).toMatchObject({ until_ms: SLOT_MS + 15_000, token: 1 });
    // Requests may be under way until 2 seconds before the new end.
    timerMs = 12_999;
    for (const { lease } of sender.got) lease.assertHeld();
    timerMs = 13_000;
    for (const { lease } of sender.got) expect(() => lease.assertHeld()).toThrow('aborted');
  });

  test('of a dead worker goes to another one when its lease ends', async () => {
    const dead = send(one);
    await commit(one, 'x');
    await expect.poll(() => tokens(dead), SOON).toEqual([['x', 1]]);
    // pg-boss assigns the job to another worker before the lease ends.
    await database.advance(11_000, two);
    await database.supervise();
    const next = send(two);
    await expect.poll(async () => (await two.clock.advance(100), jobs()), SOON).toEqual([['x', 'created', 1]]);
    await database.advance(999, two);
    await expect.poll(async () => (await two.clock.advance(100), jobs()), SOON).toEqual([['x', 'created', 0.001]]);
    expect(next.got).toEqual([]);

    await database.advance(1);
    await expect.poll(() => tokensOf(next), SOON).toEqual([['x', 2]]);
    expect(await lane()).toMatchObject({ holder: 'two', since_ms: SLOT_MS + 12_000, until_ms: SLOT_MS + 24_000 });
  });

  test('of a worker that died while the clock was ahead goes to another one when its lease ends', async () => {
    await database.advance(AHEAD_MS, one);
    const dead = send(one);
    await commit(one, 'x');
    await expect.poll(() => tokens(dead), SOON).toEqual([['x', 1]]);
    await database.advance(-AHEAD_MS);
    await two.store.storedClock.continueFromNow();
    await setLeasesBack(two.db, database.jobsSchema);

    await database.advance(12_000, two);
    await database.supervise();
    const next = send(two);

    await expect.poll(() => tokensOf(next), SOON).toEqual([['x', 2]]);
  });

  test('that another worker claimed is released to this worker', async () => {
    const before = send(one, { knowsLostJobs: false });
    const [id] = await commit(one, 'x');
    await expect.poll(() => before.got, SOON).toHaveLength(1);
    const after = await takeOver();
    const held = before.got[0]?.lease;
    const pending = await find(one.store, id);
    expect(await one.store.deliveries.change(pending, { state: 'sending' }, { lease: held })).toBeUndefined();
    expect(held?.signal.aborted).toBe(false);

    await one.clock.advance(3_000);
    await expect.poll(() => held?.signal.aborted, SOON).toBe(true);
    await expect.poll(() => one.lines.join(''), SOON).toContain('this worker lost the lease of an account; another worker continues');
    expect(await lane()).toMatchObject({ holder: 'two', token: 2, until_ms: SLOT_MS + 24_000 });
    expect(await jobs()).toEqual([['x', 'active', expect.any(Number)]]);
    expect(one.sent).toEqual([{ kind: 'lane', account: 'x' }]);
    const lease = after.got[0]?.lease;
    expect(await two.store.deliveries.change(pending, { state: 'sending' }, { lease })).toMatchObject({ state: 'sending' });
  });

  test('whose job another worker has is released', async () => {
    const before = send(one);
    await commit(one, 'x');
    await expect.poll(() => before.got, SOON).toHaveLength(1);
    await database.advance(10_001, two);
    await database.supervise();
    send(two);
    await expect.poll(async () => (await two.clock.advance(100), jobs()), SOON).toEqual([['x', 'created', 1.999]]);

    await one.clock.advance(3_000);
    await expect.poll(() => one.lines.join(''), SOON).toContain('this worker lost the lease of an account');
    expect(before.got[0]?.lease.signal.aborted).toBe(true);
  });

  test('that another worker claimed is not returned by the worker that ends late', async () => {
    const before = send(one);
    await commit(one, 'x');
    await expect.poll(() => before.got, SOON).toHaveLength(1);
    await takeOver();

    before.got[0]?.end();
    await expect.poll(() => before.lanes.held(), SOON).toEqual([]);
    await before.stop();
    expect(await lane()).toMatchObject({ holder: 'two', token: 2, until_ms: SLOT_MS + 24_000 });
    expect(await jobs()).toEqual([['x', 'active', expect.any(Number)]]);
  });

  test('that a worker claimed again stays with it when the earlier work ends', async () => {
    const sender = send(one, { hangs: true });
    await commit(one, 'x');
    await expect.poll(() => sender.got, SOON).toHaveLength(1);
    await database.advance(12_000);
    await database.supervise();
    await expect.poll(() => tokensOf(sender), SOON).toEqual(CLAIMED_TWICE);

    expect(sender.got[0]?.lease.signal.aborted).toBe(true);
    sender.got[0]?.end();
    await database.advance(3_000, one);
    await expect.poll(() => lane(), SOON).toMatchObject({ holder: 'one', token: 2, until_ms: SLOT_MS + 27_000 });
    expect(sender.lanes.held()).toEqual([{ account: 'x', heldMs: expect.any(Number) }]);
    expect(sender.got[1]?.lease.signal.aborted).toBe(false);
  });

  /** Lets another worker claim the lane of `x` after the lease of the first one, whose clock is stopped. */
  async function takeOver(): Promise<Sender> {
    await database.advance(12_000, two);
    await database.supervise();
    const sender = send(two);
    await expect.poll(() => tokensOf(sender), SOON).toEqual([['x', 2]]);
    return sender;
  }
});

describe('changes of deliveries', () => {
  /** A post through `x`, and one through `y` that shows its result. */
  const fired = firing([creating(['x'], { id: 'post' }), creating(['y'], { reads: ['post'] })]);
  const [post = '', dependent] = keysOf(fired);
  const sent = { state: 'sent', result: { id: '1' }, sentAt: new Date(SLOT_MS) } as const;

  async function holdPost(): Promise<LaneLease> {
    const sender = send(one);
    await one.store.ruleStates.commit(committing([fired]));
    await expect.poll(() => tokens(sender), SOON).toContainEqual(['x', 1]);
    const work = sender.got.find(({ lease }) => lease.account === 'x');
    if (!work) throw new Error('the lane was not taken');
    return work.lease;
  }

  test('are refused after the end of the lease, even if no other worker claimed the lane', async () => {
    const lease = await holdPost();
    await database.advance(11_999);
    const begun = await one.store.deliveries.change(await find(one.store, post), { state: 'sending' }, { lease });
    expect(begun).toMatchObject({ id: post, state: 'sending' });
    await database.advance(1);
    for (const parts of [undefined, []]) {
      const delivery = await find(one.store, post);
      expect(await one.store.deliveries.change(delivery, sent, { lease, parts })).toBeUndefined();
      expect(await find(one.store, post)).toMatchObject({ state: 'sending' });
    }
  });

  test('announce the accounts that waited for the delivery', async () => {
    const lease = await holdPost();
    one.sent.length = 0;
    const begun = await one.store.deliveries.change(await find(one.store, post), { state: 'sending' }, { lease });
    expect(one.sent).toEqual([]);
    if (begun) await one.store.deliveries.change(begun, sent, { lease });
    expect(one.sent).toEqual([{ kind: 'lane', account: 'y' }]);
    const due = await one.store.deliveries.due('y', { nowMs: database.nowMs(), limit: 1 });
    expect(due.map(({ id }) => id)).toEqual([dependent]);
  });
});

describe('requests end before the lease', () => {
  test('by 2 seconds, if it cannot be renewed', async () => {
    const sender = send(one);
    await commit(one, 'x');
    await expect.poll(() => sender.got, SOON).toHaveLength(1);
    const lease = sender.got[0]?.lease;
    // Renewals wait for this transaction.
    const [renewable, locked] = [gate(), gate()];
    const locking = database.db.transaction().execute(async (trx) => {
      await trx.selectFrom('lane').selectAll().forUpdate().execute();
      locked.resolve();
      await renewable.promise;
    });
    await locked.promise;
    timerMs = 9_999;
    await database.advance(9_999, one);
    expect(lease?.signal.aborted).toBe(false);
    timerMs = 10_000;
    await database.advance(251, one);

    expect(lease?.signal.aborted).toBe(true);
    renewable.resolve();
    await locking;
  });

  test('so a worker that was frozen sends nothing after it wakes', async () => {
    const platform = new FakePlatform(one.clock);
    const [rendering, frozen] = [gate(), gate()];
    const engine = createDeliveryEngine({
      deliveries: one.store.deliveries,
      lanes: createSharedLanes({ ...one, share: () => 1 }),
      perform: platform.perform,
      recover: platform.recover,
      render: async (options) => {
        rendering.resolve();
        await frozen.promise;
        return renderPlainly(options);
      },
      clock: one.clock,
      log: one.log,
    });
    awaitEnd(engine.run(ending()));
    const [id] = await commit(one, 'x');
    await rendering.promise;

    // No timer of the process ran in the meantime.
    timerMs = 10_000;
    frozen.resolve();
    await expect.poll(() => one.lines.join(''), SOON).toContain('this worker lost the lease of an account');
    expect(platform.attempts).toEqual([]);
    expect(await find(one.store, id)).toMatchObject({ state: expect.stringMatching(/pending|sending/u) });
  });
});

describe('a worker returns a lane', () => {
  test('without work, and gets it again when its next delivery is due', async () => {
    const sender = send(one);
    const [id] = await commit(one, 'x');
    const [later] = await commit(one, 'x');
    await expect.poll(() => sender.got, SOON).toHaveLength(1);
    const { lease } = sender.got[0] ?? {};
    for (const [key, seconds] of [
      [later, 120],
      [id, 60],
    ] as const) {
      const dueAt = new Date(SLOT_MS + seconds * 1_000);
      await one.store.deliveries.change(await find(one.store, key), { state: 'pending', dueAt }, { lease });
    }
    sender.got[0]?.end();

    await expect.poll(jobs, SOON).toEqual([['x', 'created', 60]]);
    expect(one.sent).toHaveLength(2);
    await database.advance(59_999, one);
    expect(sender.got).toHaveLength(1);
    await database.advance(1_000);
    await expect.poll(() => tokensOf(sender), SOON).toEqual(CLAIMED_TWICE);
  });

  test('without work, and gets it at once for a delivery that is due before the next one', async () => {
    const sender = send(one);
    const [id] = await commit(one, 'x');
    await expect.poll(() => sender.got, SOON).toHaveLength(1);
    const { lease } = sender.got[0] ?? {};
    const dueAt = new Date(SLOT_MS + 60_000);
    await one.store.deliveries.change(await find(one.store, id), { state: 'pending', dueAt }, { lease });
    sender.got[0]?.end();
    await expect.poll(jobs, SOON).toEqual([['x', 'created', 60]]);

    await commit(one, 'x');
    await expect.poll(() => tokens(sender), SOON).toHaveLength(2);
  });

  test('without work, and gets it again if a delivery became due in its last seconds', async () => {
    const sender = send(one);
    await commit(one, 'x');
    await expect.poll(() => sender.got, SOON).toHaveLength(1);
    await database.advance(5_000, one);
    // Deliveries that are due for longer wait for another one, whose end creates a job.
    sender.got[0]?.end();
    await expect.poll(() => lane(), SOON).toMatchObject({ holder: null });
    await expect.poll(jobs, SOON).toEqual([]);

    await commit(one, 'y');
    await expect.poll(() => sender.got, SOON).toHaveLength(2);
    await sql`update delivery set due_ms = ${database.nowMs() - 4_999} where account = 'y'`.execute(database.db);
    sender.got[1]?.end();
    await expect.poll(() => tokens(sender), SOON).toContainEqual(['y', 2]);
  });

  test('without work, and gets it again for a delivery that was committed at the same time', async () => {
    const sender = send(one);
    await commit(one, 'x');
    await expect.poll(() => sender.got, SOON).toHaveLength(1);
    await database.advance(6_000, one);
    const [created, committed] = [gate(), gate()];
    const committing = database.db.transaction().execute(async (trx) => {
      await sql`update delivery set due_ms = ${database.nowMs()}`.execute(trx);
      await createJobs(trx, two.jobs, ['x']);
      created.resolve();
      await committed.promise;
    });
    await created.promise;

    sender.got[0]?.end();
    await waiting();
    committed.resolve();
    await committing;
    await expect.poll(() => tokens(sender), SOON).toEqual(CLAIMED_TWICE);
  });

  test('with work after 30 seconds, so that another worker can claim it', async () => {
    const sender = send(one);
    await commit(one, 'x');
    await expect.poll(() => sender.got, SOON).toHaveLength(1);
    await one.clock.advance(29_999);
    expect(sender.got[0]?.lease.leaving?.aborted).toBe(false);
    one.sent.length = 0;
    await one.clock.advance(1);
    expect(sender.got[0]?.lease.leaving?.aborted).toBe(true);
    expect(sender.got[0]?.lease.signal.aborted).toBe(false);

    await expect.poll(() => tokens(sender), SOON).toEqual(CLAIMED_TWICE);
    expect(one.sent).toEqual([{ kind: 'lane', account: 'x' }]);
  });

  test('at once when it stops', async () => {
    const sender = send(one);
    await commit(one, 'x');
    await expect.poll(() => sender.got, SOON).toHaveLength(1);
    await database.advance(6_000, one);
    one.sent.length = 0;
    await sender.stop();

    expect(await lane()).toMatchObject({ holder: null, until_ms: database.nowMs() });
    expect(await jobs()).toEqual([['x', 'created', expect.any(Number)]]);
    // It may have claimed the new job during the stop, and returned it.
    expect(one.sent).toContainEqual({ kind: 'lane', account: 'x' });
    expect(one.clock.sleeping).toBe(0);
  });
});

describe('deliveries without a job', () => {
  const forgetJobs = () => sql`delete from ${sql.id(database.jobsSchema, 'job')} where state < 'active'`.execute(database.db);
  const withJob = async () => (await jobs()).map(([account]) => account);

  test('are found when a worker starts, and every 15 seconds', async () => {
    await commit(one, 'x');
    await forgetJobs();
    const sender = send(two);
    await expect.poll(withJob, SOON).toEqual(['x']);
    await untilAsleep(sender);
    await two.clock.advance(1_000);
    await expect.poll(() => tokens(sender), SOON).toEqual([['x', 1]]);
    await untilAsleep(sender);

    await commit(one, 'y', 'z');
    const later = (await find(one.store, (await commit(one, 'later'))[0])).id;
    await one.store.deliveries.change(await find(one.store, later), { state: 'pending', dueAt: new Date(SLOT_MS + 60_000) });
    const done = await find(one.store, (await commit(one, 'done'))[0]);
    await one.store.deliveries.change(done, { state: 'skipped' });
    await forgetJobs();
    await two.clock.advance(13_999);
    expect(await withJob()).toEqual(['x']);
    await two.clock.advance(1);
    await expect.poll(withJob, SOON).toEqual(['x', 'y', 'z']);
  });
});

describe('a worker holds', () => {
  const accounts = (count: number) => Array.from({ length: count }, (_, index) => `account-${index}`);
  /** The number of lanes that these processes got, after some time. */
  const lanesAfter = async (ms: number, ...senders: readonly Sender[]): Promise<number> => {
    for (const sender of senders) await untilAsleep(sender);
    timerMs += ms;
    for (const { clock } of senders) await clock.advance(ms);
    return senders.flatMap(({ got }) => got).length;
  };

  test('all lanes if it is alone', async () => {
    await commit(two, ...accounts(70));
    const sender = send(one);
    await expect.poll(() => sender.got, SOON).toHaveLength(50);
    await untilAsleep(sender);
    await one.clock.advance(100);
    await expect.poll(() => sender.got, SOON).toHaveLength(70);
  });

  test.each([
    [20, 10],
    [21, 11],
    [12, 8],
  ])('of %i lanes with work its half: %i, but at least 8', async (all, half) => {
    await commit(two, ...accounts(all));
    const sender = send(one, { share: 0.5 });
    await expect.poll(() => lanesAfter(100, sender), SOON).toBe(half);
    const other = send(two, { share: 0.5 });
    await expect.poll(() => lanesAfter(100, sender, other), SOON).toBe(Math.min(all, half * 2));
    expect(sender.got).toHaveLength(half);
  });
});

test('messages of others wake a worker', async () => {
  const sender = send(one);
  await expect.poll(() => one.clock.sleeping, SOON).toBeGreaterThan(3);
  await commit(two, 'x');
  expect(sender.got).toEqual([]);

  one.receive({ kind: 'rules' });
  one.receive({ kind: 'lane', account: 'x' });
  await expect.poll(() => tokens(sender), SOON).toEqual([['x', 1]]);
  expect(sender.woken).toEqual(['x']);

  await commit(two, 'y');
  one.receive({ kind: 'missed' });
  await expect
    .poll(() => tokens(sender), SOON)
    .toEqual([
      ['x', 1],
      ['y', 1],
    ]);
  expect(sender.woken).toEqual(['x', undefined]);
});

/** Resolves when a transaction waits for a lock of another one. */
async function waiting(): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await sql`select 1 from pg_stat_activity where wait_event_type = 'Lock'`.execute(database.db);
      return rows.length;
    }, SOON)
    .toBeGreaterThan(0);
}
