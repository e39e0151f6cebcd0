import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { StoredEntry } from '#src/engine/scheduler/entry.ts';
import type { AgendaRow, SharedAgenda, SlotBatch } from '#src/engine/scheduler/shared-agenda.ts';
import { createSharedAgenda } from '#src/store/postgres/agenda.ts';
import { SLOT_MS } from '../../support/firings.ts';
import { makeRule } from '../../support/rules.ts';
import { startTwoProcesses, type TimedProcess } from './timed-database.ts';

/** A condition that statements fulfil soon. */
const SOON = { interval: 3 };

/** The timers of a process that runs batches. */
const TIMERS = 3;

const { database, one, two, ending, awaitEnd, gate } = await startTwoProcesses();

const agendaOf = (process: TimedProcess): SharedAgenda =>
  createSharedAgenda({ ...process, jobsSchema: database.jobsSchema, wasDown: false });
const agenda = agendaOf(one);

const entryAt = (nextMs: number | undefined, lastMs = SLOT_MS): StoredEntry => ({
  schedule: { everyMs: 60_000 },
  sinceMs: SLOT_MS,
  lastMs,
  doneMs: lastMs,
  nextMs,
  extra: undefined,
  wakeMs: undefined,
  backoffMs: 0,
});

/** Puts rules on the agenda that are due at an instant. */
async function put(nextMs: number | undefined, ...ids: readonly string[]): Promise<void> {
  await agenda.put(
    ids.map((id) => makeRule({ id })),
    () => entryAt(nextMs),
  );
}

/** The rows: rule, next instant, and whether it is in a batch. */
async function rows() {
  const all = await database.db.selectFrom('agenda').select(['rule', 'version', 'next_ms', 'batch', 'stuck']).orderBy('rule').execute();
  return all.map(({ rule, next_ms, batch }) => [rule, next_ms === null ? undefined : next_ms - SLOT_MS, batch !== null] as const);
}

const jobCount = async (): Promise<number> => {
  const { rows: counted } = await sql<{ readonly count: number }>`
    select count(*) as count from ${sql.id(database.jobsSchema, 'job')} where name = 'slots' and state <= 'active'`.execute(database.db);
  return counted[0]?.count ?? 0;
};

/** Runs the slot of each due rule at its next instant, and moves it by a minute. */
const plan = ({ entry }: AgendaRow) => {
  const slotMs = entry.nextMs ?? 0;
  return { entry: { ...entry, nextMs: slotMs + 60_000 }, slot: { slotMs, woken: false } };
};

interface Worker {
  readonly batches: SlotBatch[];
  readonly signals: AbortSignal[];
}

/** Lets a process run batches. A batch that is refused runs again. */
function work(process: TimedProcess, run: (batch: SlotBatch) => Promise<void> = async () => undefined): Worker {
  const worker: Worker = { batches: [], signals: [] };
  awaitEnd(
    agendaOf(process).work(async (batch, signal) => {
      worker.batches.push(batch);
      worker.signals.push(signal);
      await run(batch);
    }, ending()),
  );
  return worker;
}

const rulesIn = ({ batches }: Worker) => batches.map(({ slots }) => slots.map(({ rule }) => rule).toSorted());

/** Releases the rules of a batch with this instant as the next one. */
const release = (batch: SlotBatch, nextMs: number, more: Partial<Parameters<SharedAgenda['release']>[1][number]> = {}) =>
  agenda.release(
    batch.id,
    batch.slots.map(({ rule, version }) => ({ rule, version, entry: entryAt(nextMs, SLOT_MS + 7), isStuck: false, ...more })),
  );

describe('due rules', () => {
  test('are distributed once, in batches of 50', async () => {
    const ids = Array.from({ length: 601 }, (_, index) => `rule-${String(index).padStart(3, '0')}`);
    await put(SLOT_MS, ...ids);
    await put(SLOT_MS + 1, 'later');
    await put(undefined, 'never');

    await Promise.all([agenda.distribute(SLOT_MS, plan), agendaOf(two).distribute(SLOT_MS, plan)]);

    const its = await rows();
    expect(its.filter(([, , isBatched]) => isBatched)).toEqual(ids.map((rule) => [rule, 60_000, true]));
    expect(its.filter(([, , isBatched]) => !isBatched)).toEqual([
      ['later', 1, false],
      ['never', undefined, false],
    ]);
    const worker = work(one);
    await expect.poll(() => worker.batches.flatMap(({ slots }) => slots).length, SOON).toBe(601);
    expect(rulesIn(worker).flat().toSorted()).toEqual(ids);
    expect(Math.max(...rulesIn(worker).map(({ length }) => length))).toBe(50);
    expect(worker.batches[0]?.slots[0]).toMatchObject({ version: '1', slotMs: SLOT_MS, woken: false, entry: { nextMs: SLOT_MS + 60_000 } });
  });

  test('wait for a process that has their version, and are skipped by others', async () => {
    await put(SLOT_MS, 'known', 'unknown', 'not-yet');
    await agenda.distribute(SLOT_MS, (row) => {
      if (row.rule === 'unknown') return undefined;
      return row.rule === 'known' ? plan(row) : { entry: entryAt(SLOT_MS + 5) };
    });

    expect(await rows()).toEqual([
      ['known', 60_000, true],
      ['not-yet', 5, false],
      ['unknown', 0, false],
    ]);
    expect(await jobCount()).toBe(1);
    await agenda.distribute(SLOT_MS, () => undefined);
    expect(await jobCount()).toBe(1);
  });

  test('are distributed after any number of earlier ones that no process can run', async () => {
    const unusable = Array.from({ length: 1_001 }, (_, index) => `unusable-${index}`);
    await put(SLOT_MS - 1, ...unusable.slice(1));
    await put(SLOT_MS, 'live', ...unusable.slice(0, 1));

    await agenda.distribute(SLOT_MS, (row) => (row.rule === 'live' ? plan(row) : undefined));

    expect((await rows()).filter(([, , isBatched]) => isBatched)).toEqual([['live', 60_000, true]]);
  });

  test('are distributed without waiting for another process that distributes some of them', async () => {
    await put(SLOT_MS, 'locked', 'live');
    const [locked, released] = [gate(), gate()];
    const locking = database.db.transaction().execute(async (trx) => {
      await trx.selectFrom('agenda').selectAll().where('rule', '=', 'locked').forUpdate().execute();
      locked.resolve();
      await released.promise;
    });
    await locked.promise;
    await agenda.distribute(SLOT_MS, plan);
    expect(await rows()).toEqual([
      ['live', 60_000, true],
      ['locked', 0, false],
    ]);
    released.resolve();
    await locking;
  });

  test('stay due without a job if the transaction fails', async () => {
    await put(SLOT_MS, 'live');
    const broken = createSharedAgenda({
      ...one,
      jobs: {
        ...one.jobs,
        async create(...created) {
          await one.jobs.create(...created);
          throw new Error('the disk is full');
        },
      },
      jobsSchema: database.jobsSchema,
      wasDown: false,
    });
    await expect(broken.distribute(SLOT_MS, plan)).rejects.toThrow('the disk is full');
    expect(await rows()).toEqual([['live', 0, false]]);
    expect(await jobCount()).toBe(0);
  });

  test('are found by the process that distributed them without a pause', async () => {
    const worker = work(one);
    await expect.poll(() => one.clock.sleeping, SOON).toBeGreaterThan(2);
    await put(SLOT_MS, 'live');
    await agenda.distribute(SLOT_MS, plan);
    await expect.poll(() => rulesIn(worker), SOON).toEqual([['live']]);
  });
});

describe('a batch', () => {
  test('whose run fails runs again with the rules that were not returned', async () => {
    await put(SLOT_MS, 'a', 'b');
    const worker = work(one, async (batch) => {
      if (worker.batches.length > 1) return;
      await release({ ...batch, slots: batch.slots.filter(({ rule }) => rule === 'a') }, SLOT_MS + 60_000);
      throw new Error('the process ends');
    });
    await agenda.distribute(SLOT_MS, plan);
    await expect.poll(() => rulesIn(worker), SOON).toEqual([['a', 'b'], ['b']]);
    expect(new Set(worker.batches.map(({ id }) => id)).size).toBe(1);
    await expect.poll(jobCount, SOON).toBe(0);
  });

  test('of a dead worker is run by another one, and the signal of the dead one aborts when it wakes', async () => {
    await put(SLOT_MS, 'live');
    const hanging = gate();
    const dead = work(one, async () => {
      await hanging.promise;
      throw new Error('the signal aborted');
    });
    await agenda.distribute(SLOT_MS, plan);
    await expect.poll(() => rulesIn(dead), SOON).toEqual([['live']]);
    await database.advance(10_001);
    await database.supervise();
    const next = work(two);
    await expect.poll(async () => (await two.clock.advance(100), rulesIn(next)), SOON).toEqual([['live']]);

    expect(dead.signals[0]?.aborted).toBe(false);
    await one.clock.advance(3_000);
    await expect.poll(() => dead.signals[0]?.aborted, SOON).toBe(true);
    hanging.resolve();
    await one.clock.advance(0);
    expect(one.lines.join('')).not.toContain('a job failed');
  });

  test('of a living worker stays with it', async () => {
    await put(SLOT_MS, 'live');
    const hanging = gate();
    const worker = work(one, () => hanging.promise);
    await agenda.distribute(SLOT_MS, plan);
    await expect.poll(() => rulesIn(worker), SOON).toEqual([['live']]);
    for (let touched = 1; touched <= 5; touched++) {
      // The pause before the next sign of life begins after the answer to the last one.
      await expect.poll(() => one.clock.sleeping, SOON).toBe(TIMERS);
      await database.advance(3_000, one);
      await expect
        .poll(async () => {
          const { rows: found } = await sql`select 1 from ${sql.id(database.jobsSchema, 'job')}
            where state = 'active' and extract(epoch from heartbeat_on) * 1000 = ${database.nowMs()}`.execute(database.db);
          return found.length;
        }, SOON)
        .toBe(1);
    }
    await database.supervise();
    const other = work(two);
    await two.clock.advance(1_000);
    expect(other.batches).toEqual([]);
    expect(worker.signals[0]?.aborted).toBe(false);
    hanging.resolve();
    await expect.poll(jobCount, SOON).toBe(0);
  });

  test('without a job returns to the agenda after 30 seconds, and one with a job does not', async () => {
    await put(SLOT_MS, 'orphan', 'taken', 'waiting');
    // A person runs this rule.
    await agenda.take('taken');
    for (const rule of ['orphan', 'waiting']) await agenda.distribute(SLOT_MS, (row) => (row.rule === rule ? plan(row) : undefined));
    await sql`delete from ${sql.id(database.jobsSchema, 'job')}
      where id = (select batch from agenda where rule = 'orphan')`.execute(database.db);
    // This process distributes, and runs no batches.
    const finding = createSharedAgenda({
      ...two,
      jobs: { ...two.jobs, work: (_queue, { signal }) => two.clock.sleep(60_000_000, signal).catch(() => undefined) },
      jobsSchema: database.jobsSchema,
      wasDown: false,
    });
    await database.advance(30_000);
    awaitEnd(finding.work(async () => undefined, ending()));
    await expect.poll(() => two.clock.sleeping, SOON).toBe(2);
    expect(await rows()).toEqual([
      ['orphan', 60_000, true],
      ['taken', 0, true],
      ['waiting', 60_000, true],
    ]);

    await database.advance(1);
    await two.clock.advance(14_999);
    expect(two.clock.sleeping).toBe(2);
    expect((await rows())[0]).toEqual(['orphan', 60_000, true]);
    await two.clock.advance(1);
    await expect.poll(rows, SOON).toEqual([
      ['orphan', 60_000, false],
      ['taken', 0, false],
      ['waiting', 60_000, true],
    ]);
  });
});

describe('a rule', () => {
  test('is claimed by one process, even before it is due, and not while it runs', async () => {
    await put(SLOT_MS + 60_000, 'live', 'other');
    const taken = await Promise.all([agenda.take('live'), agendaOf(two).take('live')]);

    const [won] = taken.filter((one) => one !== undefined);
    expect(taken.filter((one) => one !== undefined)).toHaveLength(1);
    expect(won).toMatchObject({ rule: 'live', version: '1', entry: { nextMs: SLOT_MS + 60_000 } });
    expect(await agenda.take('gone')).toBeUndefined();
    await database.advance(60_000);
    await agenda.distribute(SLOT_MS + 60_000, plan);
    expect(await rows()).toEqual([
      ['live', 60_000, true],
      ['other', 120_000, true],
    ]);
    expect((await database.db.selectFrom('agenda').select('batch').where('rule', '=', 'live').execute())[0]?.batch).toBe(won?.batch);
  });

  test('is returned by its batch only', async () => {
    await put(SLOT_MS, 'live');
    const stale = await agenda.take('live');
    await sql`update agenda set batch = null`.execute(database.db);
    const taken = await agenda.take('live');
    if (!stale || !taken) throw new Error('the rule was not taken');
    const slots = [{ ...taken, slotMs: SLOT_MS, woken: false }];

    await release({ id: stale.batch, slots }, SLOT_MS + 1);
    expect(await rows()).toEqual([['live', 0, true]]);
    await release({ id: taken.batch, slots }, SLOT_MS + 60_000);
    expect(await rows()).toEqual([['live', 60_000, false]]);
    expect((await agenda.take('live'))?.entry.lastMs).toBe(SLOT_MS + 7);
  });

  test('whose version changed while it ran keeps the entry of its new version', async () => {
    await put(SLOT_MS, 'live');
    const taken = await agenda.take('live');
    if (!taken) throw new Error('the rule was not taken');
    const seen: (string | undefined)[] = [];
    await agenda.put([makeRule({ id: 'live', version: '2' })], (_rule, row) => {
      seen.push(row?.version);
      return entryAt(SLOT_MS + 5);
    });
    expect(await rows()).toEqual([['live', 5, true]]);

    await release({ id: taken.batch, slots: [{ ...taken, slotMs: SLOT_MS, woken: false }] }, SLOT_MS + 60_000);
    expect(seen).toEqual(['1']);
    expect(await rows()).toEqual([['live', 5, false]]);
    expect(await agenda.take('live')).toMatchObject({ version: '2', entry: { nextMs: SLOT_MS + 5, lastMs: SLOT_MS } });
  });

  test('that is continued is due at once, and its earlier batch does not return its entry', async () => {
    await put(SLOT_MS, 'live');
    const taken = await agenda.take('live');
    if (!taken) throw new Error('the rule was not taken');

    await agenda.put([makeRule({ id: 'live' })], () => entryAt(SLOT_MS + 5), { endsBatches: true });
    expect(await rows()).toEqual([['live', 5, false]]);
    await release({ id: taken.batch, slots: [{ ...taken, slotMs: SLOT_MS, woken: false }] }, SLOT_MS + 7_200_000);

    expect(await rows()).toEqual([['live', 5, false]]);
  });

  test('that two processes load at once has one entry', async () => {
    const seen: (string | undefined)[] = [];
    const load = (process: TimedProcess, nextMs: number) =>
      agendaOf(process).put([makeRule({ id: 'live' })], (_rule, row) => {
        seen.push(row?.version);
        return row ? undefined : entryAt(nextMs);
      });
    await Promise.all([load(one, SLOT_MS + 1), load(two, SLOT_MS + 1)]);
    expect(new Set(seen)).toEqual(new Set([undefined, '1']));
    expect(await rows()).toEqual([['live', 1, false]]);
  });

  test('is put after another process that has locked it, without a deadlock', async () => {
    await put(SLOT_MS, 'live');
    const [locked, waiting] = [gate(), gate()];
    const distributing = database.db.transaction().execute(async (trx) => {
      await trx.selectFrom('agenda').selectAll().where('rule', '=', 'live').forUpdate().execute();
      locked.resolve();
      await waiting.promise;
      await trx.updateTable('agenda').set({ stuck: 1 }).where('rule', '=', 'live').execute();
    });
    await locked.promise;

    const putting = put(SLOT_MS + 1, 'live');
    const blocked = () => sql`select pid from pg_locks where not granted`.execute(database.db);
    await expect.poll(async () => (await blocked()).rows, SOON).toHaveLength(1);
    waiting.resolve();
    await Promise.all([distributing, putting]);

    expect(await rows()).toEqual([['live', 1, false]]);
  });

  test('is deleted by the batch that has it', async () => {
    await put(SLOT_MS, 'live', 'other');
    const taken = await agenda.take('live');
    await agenda.drop('live', (await agenda.take('other'))?.batch ?? '');
    expect(await agenda.has('live')).toBe(true);
    await agenda.drop('live', taken?.batch ?? '');
    expect([await agenda.has('live'), await agenda.has('other')]).toEqual([false, true]);
  });

  test('that failed is counted until it runs', async () => {
    await put(SLOT_MS, 'b', 'a', 'due');
    await put(SLOT_MS + 1, 'later');
    for (const rule of ['b', 'a']) {
      const taken = await agenda.take(rule);
      if (taken)
        await release({ id: taken.batch, slots: [{ ...taken, slotMs: SLOT_MS, woken: false }] }, SLOT_MS + 5_000, { isStuck: true });
    }
    await agenda.take('later');
    expect(await agenda.status(SLOT_MS)).toEqual({ stuck: ['a', 'b'], open: 2 });
    const taken = await agenda.take('a');
    if (taken) await release({ id: taken.batch, slots: [{ ...taken, slotMs: SLOT_MS, woken: false }] }, SLOT_MS + 60_000);
    expect(await agenda.status(SLOT_MS + 5_000)).toEqual({ stuck: ['b'], open: 3 });
  });
});

test('the plans of rules are the stored ones, also while they run', async () => {
  await put(SLOT_MS, 'due');
  await put(undefined, 'never');
  await agenda.put([makeRule({ id: 'rests' })], () => ({ ...entryAt(SLOT_MS + 60_000), resting: { sinceMs: SLOT_MS, isEmpty: false } }));
  await agenda.put([makeRule({ id: 'waits' })], () => ({
    ...entryAt(SLOT_MS + 60_000),
    resting: { sinceMs: SLOT_MS, isEmpty: false, waiting: ['ada'] },
  }));
  await agenda.distribute(SLOT_MS, plan);

  expect(await agenda.plansOf(['due', 'never', 'rests', 'waits', 'gone'])).toEqual(
    new Map([
      ['due', { nextMs: SLOT_MS + 60_000 }],
      ['never', { nextMs: undefined }],
      ['rests', { nextMs: SLOT_MS + 60_000, resting: { sinceMs: SLOT_MS, isEmpty: false } }],
      ['waits', { nextMs: SLOT_MS + 60_000 }],
    ]),
  );
  expect(await agenda.plansOf([])).toEqual(new Map());
});
