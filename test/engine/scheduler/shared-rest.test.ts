import { expect, test } from 'vitest';
import { createCoverage } from '#src/engine/coverage.ts';
import { createNotifiedRules } from '#src/engine/notified-rules.ts';
import { createSharedScheduler } from '#src/engine/scheduler/shared-scheduler.ts';
import { shareCoverage } from '#src/engine/share-coverage.ts';
import { silentLog } from '#src/log.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import { createSharedAgenda } from '#src/store/postgres/agenda.ts';
import { startTwoProcesses, type TimedProcess } from '../../store/postgres/timed-database.ts';
import { SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { makeRule, makeWatched } from '../../support/rules.ts';
import { nothing } from './fixture.ts';

const { database, one, two, ending, awaitEnd } = await startTwoProcesses();
const SOON = { interval: 3 };
const rule = makeRule({ schedule: { everyMs: 5_000 }, watched: makeWatched({ decidingFields: [] }) });
const notifier = { operations: [{ operation: 'getStreams', parameter: 'users' }], connect: () => Promise.reject(new Error('not here')) };

/** A worker to which another process reports about which names it is notified. */
async function start({ store, clock, log, ...process }: TimedProcess, running = rule) {
  const coverage = createCoverage();
  const ran: number[] = [];
  const scheduler = await createSharedScheduler({
    rules: [running],
    states: store.ruleStates,
    agenda: createSharedAgenda({ ...process, clock, log, jobsSchema: database.jobsSchema, wasDown: false }),
    read: async (due, onPoll) => void (await Promise.all(due.map(async (each) => onPoll(each.rule.id, nothing)))),
    advance,
    notified: createNotifiedRules({ coverage, clock }),
    onCommit: ({ slotMs }) => void ran.push((slotMs - SLOT_MS) / 1000),
    clock,
    log,
  });
  awaitEnd(scheduler.work(ending()));
  const stopping = new AbortController();
  return {
    scheduler,
    ran,
    /** Reads the report of the connected process once. */
    async read(): Promise<void> {
      const sharing = shareCoverage({
        accounts: [{ client: 'streaming', account: 'twitch', notifier }],
        store: { reports: () => store.notifiers.reports().finally(() => stopping.abort()) },
        coverage,
        clock: new ManualClock(),
        log: silentLog,
        signal: stopping.signal,
      });
      await sharing;
    },
  };
}

type Worker = Awaited<ReturnType<typeof start>>;

function ranBy(workers: readonly Worker[]): readonly number[] {
  return workers.flatMap((worker) => worker.ran).toSorted((a, b) => a - b);
}

/** Ticks every five seconds, and waits for the expected slots. */
async function runUntil(
  endS: number,
  { workers, expected }: { readonly workers: readonly Worker[]; readonly expected: readonly number[] },
) {
  for (let seconds = (one.clock.nowMs() - SLOT_MS) / 1000; seconds <= endS; seconds += 5) {
    const due = expected.filter((slot) => slot <= seconds).length;
    await expect
      .poll(async () => {
        await Promise.all(workers.map(({ scheduler }) => scheduler.tick()));
        return ranBy(workers).length;
      }, SOON)
      .toBe(due);
    await database.advance(5_000, one, two);
  }
}

test('on several workers, a rule at rest is polled as rarely as the process with the connection reports', async () => {
  await one.store.notifiers.keepReport('twitch', { state: 'connected', covered: { getStreams: ['ada'] } });
  const workers = [await start(one), await start(two)];
  await Promise.all(workers.map((worker) => worker.read()));
  const expected = [0, 5, 55];

  await runUntil(55, { workers, expected });

  expect(ranBy(workers)).toEqual(expected);

  await one.store.notifiers.keepReport('twitch', { state: 'failed', problem: 'it was silent' });
});

test('a hint at a worker with another version of the rule ends the rest of the rule', async () => {
  await one.store.notifiers.keepReport('twitch', { state: 'connected', covered: { getStreams: ['ada'] } });
  const older = await start(two, { ...rule, version: 'older' });
  const workers = [await start(one, { ...rule, version: 'newer' }), older];
  await Promise.all(workers.map((worker) => worker.read()));
  await runUntil(15, { workers, expected: [0, 5] });

  await older.scheduler.hurry([{ rule: rule.id, names: ['ada'] }]);
  await runUntil(25, { workers, expected: [0, 5, 20] });

  expect(workers.map(({ ran }) => ran)).toEqual([[0, 5, 20], []]);
});

test('a hint is not taken for one whose poll was planned for later than a slot in between', async () => {
  const watched = makeWatched({ decidingFields: [], with: { users: ['ada', 'grace'] } });
  const { scheduler, ran } = await start(one, makeRule({ schedule: { everyMs: 600_000 }, watched }));
  const ada = { rule: rule.id, names: ['ada'] };
  const tickAt = async (seconds: number, expected: readonly number[]): Promise<void> => {
    await database.advance(SLOT_MS + seconds * 1_000 - one.clock.nowMs(), one);
    await scheduler.tick();
    await expect.poll(() => ran, SOON).toEqual(expected);
    // Otherwise, the next hint waits until the rule has returned to the agenda.
    await expect.poll(() => database.db.selectFrom('agenda').select('batch').execute(), SOON).toEqual([{ batch: null }]);
  };
  await tickAt(0, [0]);
  await database.advance(595_000, one);
  await scheduler.hurry([ada]);
  await tickAt(595, [0, 595]);
  await scheduler.hurry([ada]);
  // The poll of the whole list waits for ten seconds.
  await scheduler.hurry([{ rule: rule.id }]);
  await tickAt(600, [0, 595, 600]);

  await database.advance(2_000, one);
  await scheduler.hurry([ada]);

  await tickAt(602, [0, 595, 600, 602]);
});
