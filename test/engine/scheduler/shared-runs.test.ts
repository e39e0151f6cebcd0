import { expect, test } from 'vitest';
import { createSharedScheduler, type SharedScheduler } from '#src/engine/scheduler/shared-scheduler.ts';
import type { Commit } from '#src/engine/scheduler/rule-states.ts';
import { publishedHash, type RuleVersions } from '#src/engine/rule-sets/rule-versions.ts';
import type { Rule } from '#src/rules/rule.ts';
import { createSharedAgenda } from '#src/store/postgres/agenda.ts';
import { startTwoProcesses, type TimedProcess } from '../../store/postgres/timed-database.ts';
import { SLOT_MS } from '../../support/firings.ts';
import { makeRule } from '../../support/rules.ts';
import { decided, nothing } from './fixture.ts';

/** A condition that statements fulfil soon. */
const SOON = { interval: 3 };

const { database, one, two } = await startTwoProcesses();

interface Runs {
  readonly scheduler: SharedScheduler;
  readonly polls: () => number;
}

/** Lets a process run a rule on request only. `beforeCommit` runs after the state was loaded. */
async function start(process: TimedProcess, rule: Rule, beforeCommit: () => Promise<unknown> = async () => undefined): Promise<Runs> {
  const { ruleStates } = process.store;
  let polls = 0;
  const scheduler = await createSharedScheduler({
    rules: [rule],
    states: { ...ruleStates, commit: async (made) => (await beforeCommit(), ruleStates.commit(made)) },
    agenda: createSharedAgenda({ ...process, jobsSchema: database.jobsSchema, wasDown: false }),
    read: async (due, onPoll) => {
      polls += due.length;
      await Promise.all(due.map(async (one) => onPoll(one.rule.id, nothing)));
    },
    advance: decided,
    onCommit: () => undefined,
    clock: process.clock,
    log: process.log,
  });
  return { scheduler, polls: () => polls };
}

/** The version that a run had; undefined: it was not committed. */
const versionOf = (made: Commit | undefined): unknown => made?.decisions[0]?.details?.['version'];

/** A file of a rule, as a published version has it. */
const ruleOf = (source: string): Rule => makeRule({ id: 'live', version: source, published: publishedHash(source) });
const publish = (versions: RuleVersions, source: string, after: number) =>
  versions.publish({ files: [{ file: 'live.yaml', source }], by: 'ada', after });

test('a rule that a person runs waits until this worker has the version of the other workers', async () => {
  const [before, after] = [makeRule({ id: 'live' }), makeRule({ id: 'live', version: '2' })];
  const slow = await start(one, before);
  await start(two, after);

  const made = slow.scheduler.run('live');
  for (let asked = 0; asked < 3; asked++) await one.clock.advance(200);
  await slow.scheduler.apply({ put: [after], drop: [] });
  const version = made.then(versionOf);
  let isOver = false;
  void version.then(() => (isOver = true));
  await expect.poll(async () => (await one.clock.advance(200), isOver), SOON).toBe(true);

  expect(await version).toBe('2');
});

test('a rule that a person runs while a version is published runs in that version, without polls in between', async () => {
  const versions = one.store.ruleVersions;
  await publish(versions, 'old', 0);
  const runs = await start(one, ruleOf('old'));
  await publish(versions, 'new', 1);

  let version: unknown;
  void runs.scheduler.run('live').then((made) => (version = versionOf(made)));
  await expect.poll(runs.polls, SOON).toBe(1);
  for (let asked = 0; asked < 5; asked++) await one.clock.advance(200);
  expect(runs.polls()).toBe(1);
  await runs.scheduler.apply({ put: [ruleOf('new')], drop: [] });
  await expect.poll(async () => (await one.clock.advance(200), version), SOON).toBe('new');

  expect(runs.polls()).toBe(2);
});

test('a rule that a person runs on a worker that never gets the version of the others is not run', async () => {
  const worker = await start(one, makeRule({ id: 'live' }));
  await start(two, makeRule({ id: 'live', version: '2' }));

  const results: unknown[] = [];
  void worker.scheduler.run('live').then((made) => results.push(made));
  await expect.poll(async () => (await one.clock.advance(1_000), results), SOON).toEqual([undefined]);

  expect(one.clock.nowMs()).toBeGreaterThanOrEqual(SLOT_MS + 15_000);
  expect(worker.polls()).toBe(0);
});

test('a slot runs although people change values of its rule again and again while it is evaluated', async () => {
  const changes = Array.from({ length: 4 }, (_, index) => SLOT_MS + 1 + index);
  const worker = await start(one, makeRule({ id: 'live', watched: undefined }), async () => {
    const slotMs = changes.shift();
    if (slotMs !== undefined) await two.store.ruleStates.commit({ rule: 'live', slotMs, firings: [], withdrawals: [], decisions: [] });
  });
  await database.advance(1_000, one);

  expect(versionOf(await worker.scheduler.run('live'))).toBe('1');
  expect(changes).toEqual([]);
});

test('a requested run follows a slot that another process committed a little later by its clock', async () => {
  const worker = await start(one, makeRule({ id: 'live', watched: undefined }));
  await two.store.ruleStates.commit({ rule: 'live', slotMs: SLOT_MS + 5, firings: [], withdrawals: [], decisions: [] });

  expect((await worker.scheduler.run('live'))?.slotMs).toBe(SLOT_MS + 6);
  expect((await worker.scheduler.run('live'))?.slotMs).toBe(SLOT_MS + 7);
});
