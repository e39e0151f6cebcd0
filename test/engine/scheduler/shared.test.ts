import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createSharedScheduler, type SharedScheduler } from '#src/engine/scheduler/shared-scheduler.ts';
import type { AdvanceOptions } from '#src/rules/evaluate/advance.ts';
import type { RuleMemory } from '#src/rules/episode.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { createSharedAgenda } from '#src/store/postgres/agenda.ts';
import { startTwoProcesses, type TimedProcess } from '../../store/postgres/timed-database.ts';
import { SLOT_MS } from '../../support/firings.ts';
import { makeRule, makeWatched } from '../../support/rules.ts';
import { decided, nothing } from './fixture.ts';
import { nextMsOf } from '../../support/next-ms.ts';

/** A condition that statements fulfil soon. */
const SOON = { interval: 3 };

const { database, one, two, ending, awaitEnd, gate } = await startTwoProcesses();

interface Worker {
  readonly scheduler: SharedScheduler;
  /** The committed slots: rule, seconds since the start, and version. */
  readonly ran: (readonly [rule: string, seconds: number, version: unknown])[];
  /** By what those slots noticed a change, if it was no poll of the schedule. */
  readonly noticedBy: readonly unknown[];
  /** The names that each poll asked for. */
  readonly asked: readonly (readonly string[] | undefined)[];
  /** The errors of the next commits, in order. */
  readonly failures: Error[];
  readonly stop: () => void;
}

interface Setting {
  readonly wasDown?: boolean;
  /** The result of a poll. */
  readonly answer?: () => Poll;
  /** A promise that a poll waits for. */
  readonly until?: (rule: string) => Promise<void>;
  /** Runs before each commit, after its state was loaded. */
  readonly beforeCommit?: () => Promise<unknown>;
}

/** The memory of a rule whose list was read. */
function memoryOf({ state, rule: { watched } }: AdvanceOptions): RuleMemory {
  return { ...state.memory, fingerprint: watched?.fingerprint };
}

/** Lets a process run rules. */
async function start(
  process: TimedProcess,
  rules: readonly Rule[],
  { wasDown = false, answer = () => nothing, until = async () => undefined, beforeCommit = async () => undefined }: Setting = {},
): Promise<Worker> {
  const { store, clock, log } = process;
  const [ran, noticedBy, failures, stop]: [Worker['ran'], unknown[], Error[], AbortController] = [[], [], [], new AbortController()];
  const asked: (readonly string[] | undefined)[] = [];
  const scheduler = await createSharedScheduler({
    rules,
    states: {
      ...store.ruleStates,
      async commit(made) {
        const failure = failures.shift();
        if (failure) throw failure;
        await beforeCommit();
        return store.ruleStates.commit(made);
      },
    },
    agenda: createSharedAgenda({ ...process, jobsSchema: database.jobsSchema, wasDown }),
    read: async (due, onPoll, signal) => {
      const poll = async ({ rule, asked: names }: (typeof due)[number]): Promise<void> => {
        asked.push(names?.['twitch']);
        await until(rule.id);
        if (signal?.aborted !== true) await onPoll(rule.id, answer());
      };
      await Promise.all(due.map(poll));
    },
    // Each slot announces something.
    advance: (slot) => ({
      ...decided(slot),
      change: { memory: memoryOf(slot), put: [], drop: [] },
      decisions: decided(slot).decisions.map(({ details, ...one }) => ({
        ...one,
        outcome: 'fired',
        details: { ...details, ...(slot.isNotified && { noticedBy: 'notification' }) },
      })),
    }),
    onCommit({ rule, slotMs, decisions: [decision] }) {
      ran.push([rule, (slotMs - SLOT_MS) / 1000, decision?.details?.['version']]);
      noticedBy.push(decision?.details?.['noticedBy']);
    },
    clock,
    log,
  });
  awaitEnd(scheduler.work(AbortSignal.any([stop.signal, ending()])));
  return { scheduler, ran, noticedBy, asked, failures, stop: () => stop.abort() };
}

/** Ticks until this many slots ran, and no rule runs: a change of a running rule would meet the entry before its end. */
async function untilIdle(worker: Worker, slots: number): Promise<void> {
  await expect.poll(() => ticked([worker], () => [worker.ran.length, worker.scheduler.openSlots()]), SOON).toEqual([slots, 0]);
}

/** Ticks until slots ran. */
async function ticked(workers: readonly Worker[], ran: () => unknown): Promise<unknown> {
  await Promise.all(workers.map(({ scheduler }) => scheduler.tick()));
  return ran();
}

const EVERY_5_S = { schedule: { everyMs: 5_000 } } as const;

test('each slot runs once, on any worker', async () => {
  const rules = Array.from({ length: 30 }, (_, index) => makeRule({ id: `rule-${index}`, ...EVERY_5_S }));
  const workers = [await start(one, rules), await start(two, rules)];
  const ran = () => workers.flatMap((worker) => worker.ran);
  for (const seconds of [0, 5, 10]) {
    await expect.poll(() => ticked(workers, () => ran().filter((slot) => slot[1] === seconds).length), SOON).toBe(30);
    await database.advance(5_000, one, two);
  }
  expect(new Set(ran().map(String)).size).toBe(ran().length);
  expect(ran()).toHaveLength(90);
});

test('a slot runs although another worker commits an earlier slot after its state was loaded', async () => {
  const missed = { rule: 'live', slotMs: SLOT_MS + 2_500, firings: [], withdrawals: [], decisions: [] };
  const commits: (() => Promise<boolean>)[] = [];
  const rule = makeRule({ id: 'live', watched: undefined, missed: 'all', ...EVERY_5_S });
  const worker = await start(one, [rule], { beforeCommit: async () => commits.shift()?.() });
  await expect.poll(() => ticked([worker], () => worker.ran), SOON).toEqual([['live', 0, '1']]);

  commits.push(() => two.store.ruleStates.commit(missed));
  await database.advance(5_000, one);
  await expect.poll(() => ticked([worker], () => [commits.length, worker.scheduler.openSlots()]), SOON).toEqual([0, 0]);
  await database.advance(5_000, one);
  await expect.poll(() => ticked([worker], () => worker.ran.at(-1)?.[1]), SOON).toBe(10);
  expect(worker.ran.map(([, seconds]) => seconds)).toEqual([0, 5, 10]);
});

test('a rule that an operator runs waits for the slot that another worker runs', async () => {
  const hold = gate();
  const began = Promise.withResolvers<'one' | 'two'>();
  const rules = [makeRule({ id: 'live' })];
  const holding = (name: 'one' | 'two') => ({ until: () => (began.resolve(name), hold.promise) });
  const workers = { one: await start(one, rules, holding('one')), two: await start(two, rules, holding('two')) };
  // The first poll of a rule is due at once, and either worker takes it.
  await workers.one.scheduler.tick();
  const isOne = (await began.promise) === 'one';
  const [first, second, { clock }] = isOne ? [workers.one, workers.two, two] : [workers.two, workers.one, one];
  await database.advance(1_000, isOne ? two : one);

  const made = second.scheduler.run('live');
  for (let asked = 0; asked < 3; asked++) await clock.advance(200);
  expect(second.ran).toEqual([]);
  hold.resolve();
  await expect.poll(async () => (await clock.advance(200), second.ran), SOON).toHaveLength(1);
  expect((await made)?.rule).toBe('live');
  expect(first.ran).toEqual([['live', 0, '1']]);
  expect(await second.scheduler.run('gone')).toBeUndefined();
});

test('a hint that one worker gets brings the poll of the rule forward, on any worker', async () => {
  const rules = [makeRule({ id: 'live', schedule: { everyMs: 60_000 }, watched: makeWatched({ graceMs: 120_000 }) })];
  const workers = [await start(one, rules), await start(two, rules)];
  const ran = () => workers.flatMap((worker) => worker.ran.map(([, seconds]) => seconds)).toSorted((a, b) => a - b);
  // A hint about a running rule would wait for its end, on a clock that stands still.
  await expect.poll(() => ticked(workers, () => [ran(), workers[0]?.scheduler.openSlots()]), SOON).toEqual([[0], 0]);
  await database.advance(5_000, one, two);

  const [first, second] = workers;
  await first?.scheduler.hurry([{ rule: 'live' }]);
  await second?.scheduler.hurry([{ rule: 'live' }, { rule: 'unknown' }]);
  await expect.poll(() => ticked(workers, ran), SOON).toEqual([0, 5]);
  await database.advance(2_000, one, two);
  await ticked(workers, ran);
  expect(ran()).toEqual([0, 5]);
  expect(new Set(workers.flatMap((worker) => worker.noticedBy))).toEqual(new Set([undefined, 'notification']));
});

test('the names of a hint reach the worker that runs the slot', async () => {
  const users = ['ada', 'grace', 'linus'];
  const rules = [makeRule({ id: 'live', schedule: { everyMs: 60_000 }, watched: makeWatched({ with: { users } }) })];
  const workers = [await start(one, rules), await start(two, rules)];
  const asked = () => workers.flatMap((worker) => worker.asked).map((names) => names?.toSorted().join(' '));
  // A hint about a running rule would wait for its end, on a clock that stands still.
  await expect.poll(() => ticked(workers, () => [asked(), workers[0]?.scheduler.openSlots()]), SOON).toEqual([[undefined], 0]);
  await database.advance(5_000, one, two);

  for (const [index, names] of [['ada'], ['grace', 'ada'], ['ada']].entries())
    await workers[index % 2]?.scheduler.hurry([{ rule: 'live', names }]);
  await expect.poll(() => ticked(workers, asked), SOON).toEqual(expect.arrayContaining(['ada grace']));
  await database.advance(2_000, one, two);
  await ticked(workers, asked);
  expect(asked()).toHaveLength(2);
  // The slots of the schedule still read the whole list.
  await database.advance(53_000, one, two);
  await expect.poll(() => ticked(workers, asked), SOON).toHaveLength(3);
  expect(asked().filter((names) => names === undefined)).toHaveLength(2);
});

test('the failed poll of a hint is tried again with its names, by any worker', async () => {
  const rules = [makeRule({ id: 'live', schedule: { everyMs: 3_600_000 }, watched: makeWatched({ with: { users: ['ada', 'grace'] } }) })];
  let isDown = false;
  const answer = (): Poll => (isDown ? { failure: 'down' } : nothing);
  const workers = [await start(one, rules, { answer }), await start(two, rules, { answer })];
  const asked = () => workers.flatMap((worker) => worker.asked.map((names) => names?.join(' ') ?? 'all')).toSorted();
  const openSlots = () => workers[0]?.scheduler.openSlots();
  await expect.poll(() => ticked(workers, () => [asked(), openSlots()]), SOON).toEqual([['all'], 0]);
  await database.advance(5_000, one, two);
  isDown = true;
  await workers[0]?.scheduler.hurry([{ rule: 'live', names: ['ada'] }]);
  await expect.poll(() => ticked(workers, () => [asked(), openSlots()]), SOON).toEqual([['ada', 'all'], 0]);
  isDown = false;
  await database.advance(5_000, one, two);

  await expect.poll(() => ticked(workers, () => [asked(), openSlots()]), SOON).toEqual([['ada', 'ada', 'all'], 0]);
  await database.advance(60_000, one, two);
  await ticked(workers, asked);
  expect(asked()).toHaveLength(3);
});

test('a changed rule runs in its new version everywhere, and a deleted rule no longer', async () => {
  const rules = [makeRule({ id: 'live' }), makeRule({ id: 'gone' })];
  const workers = [await start(one, rules), await start(two, rules)];
  const changed = makeRule({ id: 'live', version: '2' });
  let isApplied = false;
  void Promise.all(workers.map(({ scheduler }) => scheduler.apply({ put: [changed], drop: ['gone'] }))).then(() => (isApplied = true));
  // One of them waits for the other one.
  await expect.poll(async () => (await one.clock.advance(200), await two.clock.advance(200), isApplied), SOON).toBe(true);

  for (const { scheduler } of workers) expect((await scheduler.run('live'))?.decisions[0]?.details).toMatchObject({ version: '2' });
  expect(await workers[0]?.scheduler.run('gone')).toBeUndefined();
  expect(await database.db.selectFrom('agenda').select('rule').execute()).toEqual([{ rule: 'live' }]);
});

test('a process that deletes an earlier version of a rule leaves the later version of another process', async () => {
  const worker = await start(one, [makeRule({ id: 'live', version: '1' })]);
  const late = await start(two, [makeRule({ id: 'live', version: '1' })]);
  await worker.scheduler.apply({ put: [makeRule({ id: 'live', version: '2' })], drop: [] });

  await late.scheduler.apply({ put: [], drop: ['live'] });

  const { rows } = await sql`select rule, version, batch from agenda`.execute(database.db);
  expect(rows).toEqual([{ rule: 'live', version: '2', batch: null }]);
});

test('a batch runs a rule only on a worker with its version', async () => {
  const [before, after] = [makeRule({ id: 'live', ...EVERY_5_S }), makeRule({ id: 'live', version: '2', ...EVERY_5_S })];
  const first = await start(one, [before]);
  await expect.poll(() => ticked([first], () => first.ran), SOON).toEqual([['live', 0, '1']]);
  const second = await start(two, [after]);
  await database.advance(5_000, one, two);
  // The first process does not know the version on the agenda, and does not distribute it.
  await first.scheduler.tick();
  expect(first.scheduler.openSlots()).toBe(1);
  second.stop();
  // Its batch goes to the process that does not know it.
  await second.scheduler.tick();
  await one.clock.advance(1_000);
  await expect.poll(async () => (await first.scheduler.tick(), first.scheduler.openSlots()), SOON).toBe(1);
  expect(first.ran).toHaveLength(1);
  expect(second.ran).toEqual([]);
});

test('a version that only a dead process had is replaced after 15 seconds', async () => {
  const worker = await start(one, [makeRule({ id: 'live', ...EVERY_5_S })]);
  await expect.poll(() => ticked([worker], () => worker.ran), SOON).toHaveLength(1);
  const dead = await start(two, [makeRule({ id: 'live', version: '2', ...EVERY_5_S })]);
  dead.stop();
  await database.advance(20_000, one);
  await worker.scheduler.tick();
  await worker.scheduler.tick();
  expect(worker.ran).toHaveLength(1);
  await database.advance(1_000, one);
  await expect
    .poll(() => ticked([worker], () => worker.ran), SOON)
    .toEqual([
      ['live', 0, '1'],
      ['live', 20, '1'],
    ]);
});

test('a process with a new version keeps the slot that is due', async () => {
  const rule = makeRule({ id: 'live', ...EVERY_5_S });
  const first = await start(one, [rule]);
  await untilIdle(first, 1);
  // No process ticks at the next slot.
  await database.advance(6_000, one, two);
  const second = await start(two, [{ ...rule, version: '2' }]);
  await expect.poll(() => ticked([second], () => second.ran), SOON).toEqual([['live', 5, '2']]);
});

test('a new version polls no slot again that was committed before its rule was returned to the agenda', async () => {
  const rule = makeRule({ id: 'live', ...EVERY_5_S });
  const first = await start(one, [rule]);
  await untilIdle(first, 1);
  await database.advance(5_000, one, two);
  await two.store.ruleStates.commit({ rule: 'live', slotMs: SLOT_MS + 5_000, firings: [], withdrawals: [], decisions: [] });

  const second = await start(two, [{ ...rule, version: '2' }]);

  expect(await nextMsOf(second.scheduler, 'live')).toBe(SLOT_MS + 10_000);
  await database.advance(5_000, one, two);
  await expect.poll(() => ticked([second], () => second.ran), SOON).toEqual([['live', 10, '2']]);
  expect(second.asked).toHaveLength(1);
});

test('the first process after an outage applies `missed`', async () => {
  const rule = makeRule({ id: 'live', ...EVERY_5_S, missed: 'skip' });
  const first = await start(one, [rule]);
  await untilIdle(first, 1);
  first.stop();
  await database.advance(62_000, two);
  const second = await start(two, [rule], { wasDown: true });
  await second.scheduler.tick();
  expect(second.scheduler.openSlots()).toBe(0);
  await database.advance(3_000, two);
  await expect.poll(() => ticked([second], () => second.ran), SOON).toEqual([['live', 65, '1']]);
});

test('a process that ends a slot from a clock that was ahead does not delay the rule that another process continued', async () => {
  const aheadMs = 7_200_000;
  const [began, hold] = [gate(), gate()];
  const rule = makeRule({ id: 'live', ...EVERY_5_S });
  await database.advance(aheadMs, one);
  const first = await start(one, [rule], { until: () => (began.resolve(), hold.promise) });
  await first.scheduler.tick();
  await began.promise;

  await database.advance(-aheadMs);
  await two.store.storedClock.continueFromNow();
  const second = await start(two, [rule], { wasDown: true });
  first.stop();
  hold.resolve();
  const jobCount = async () => {
    const { rows } = await sql`select 1 from ${sql.id(database.jobsSchema, 'job')} where name = 'slots' and state <= 'active'`.execute(
      two.db,
    );
    return rows.length;
  };
  await expect.poll(jobCount, SOON).toBe(0);

  expect(await nextMsOf(second.scheduler, 'live')).toBe(SLOT_MS);
});

test('a slot that failed is repeated, and its rule is stuck until then', async () => {
  const worker = await start(one, [makeRule({ id: 'live' })]);
  worker.failures.push(new Error('the disk is full'));
  await expect.poll(() => ticked([worker], () => worker.scheduler.stuck()), SOON).toEqual(['live']);
  expect(worker.ran).toEqual([]);
  await database.advance(5_000, one);
  await expect.poll(() => ticked([worker], () => worker.ran), SOON).toHaveLength(1);
  await expect.poll(() => ticked([worker], () => worker.scheduler.stuck()), SOON).toEqual([]);
});

test('a process that stops leaves the slots of unfinished polls due', async () => {
  const [began, hold] = [gate(), gate()];
  const rules = [makeRule({ id: 'live', ...EVERY_5_S })];
  const first = await start(one, rules, { until: () => (began.resolve(), hold.promise) });
  await first.scheduler.tick();
  await began.promise;
  first.stop();
  hold.resolve();
  const second = await start(two, rules);
  await expect.poll(() => ticked([second], () => second.ran), SOON).toEqual([['live', 0, '1']]);
  expect(first.ran).toEqual([]);
});

test('the last slot of a rule is committed before it leaves the agenda', async () => {
  const rule = makeRule({ id: 'live' });
  const worker = await start(one, [rule]);
  expect(await nextMsOf(worker.scheduler, 'live')).toBe(SLOT_MS);
  expect(await worker.scheduler.closeOut(rule, decided)).toBe(true);
  expect(worker.ran).toEqual([['live', 0, '1']]);
  expect(await nextMsOf(worker.scheduler, 'live')).toBeUndefined();
  expect(await database.db.selectFrom('agenda').select('rule').execute()).toEqual([]);
});
