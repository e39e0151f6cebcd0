import { describe, expect, test } from 'vitest';
import { createLog } from '#src/log.ts';
import type { Rule, Schedule } from '#src/rules/rule.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryStates } from '../../support/memory-states.ts';
import { makeRule } from '../../support/rules.ts';
import { schedule, slotsRun, tickFor } from './fixture.ts';
import { nextMsOf } from '../../support/next-ms.ts';

const HOUR_MS = 3_600_000;
const SECOND_MS = 1_000;
const DAY_MS = 24 * HOUR_MS;

/** A rule that watches nothing. */
const idle = (over: Partial<Rule>): Rule => makeRule({ id: 'idle', watched: undefined, maxAgeMs: 2 * HOUR_MS, max: 3, ...over });

interface Absence {
  readonly schedule: Schedule;
  readonly missed: Rule['missed'];
  readonly awayMs: number;
}

/** The slots that a rule runs after a start, if it ran until `UP_TO` and was down for `awayMs`. */
const UP_TO = Date.parse('2026-11-20T09:59:59.500Z');
async function slotsAfter({ schedule: when, missed, awayMs }: Absence): Promise<string[]> {
  const states = memoryStates({ idle: UP_TO });
  const clock = new ManualClock(UP_TO + awayMs);
  const { scheduler, ran } = await schedule({ rules: [idle({ schedule: when, missed })], clock, states });
  for (let tick = 0; tick < 5; tick++) await scheduler.tick();
  return ran().map((slot) => slot.slice('idle '.length));
}

const every: Schedule = { everyMs: HOUR_MS / 2 };
const cron: Schedule = { cron: '0,20 * * * *', timezone: 'Europe/Paris' };
const at: Schedule = { atMs: Date.parse('2026-11-20T10:00:00Z') };

describe('missed slots', () => {
  test.for([
    ['every', 'skip', 'a second', every, SECOND_MS, []],
    ['every', 'once', 'a second', every, SECOND_MS, ['10:00:00']],
    ['every', 'all', 'a second', every, SECOND_MS, ['10:00:00']],
    ['every', 'skip', 'an hour', every, HOUR_MS, []],
    ['every', 'once', 'an hour', every, HOUR_MS, ['10:30:00']],
    ['every', 'all', 'an hour', every, HOUR_MS, ['10:00:00', '10:30:00']],
    ['every', 'skip', 'thirty days', every, 30 * DAY_MS, []],
    ['every', 'once', 'thirty days', every, 30 * DAY_MS, ['09:30:00']],
    // `max` limits the four slots that are not older than maxAge.
    ['every', 'all', 'thirty days', every, 30 * DAY_MS, ['08:30:00', '09:00:00', '09:30:00']],
    ['cron', 'skip', 'a second', cron, SECOND_MS, []],
    ['cron', 'once', 'a second', cron, SECOND_MS, ['10:00:00']],
    ['cron', 'all', 'a second', cron, SECOND_MS, ['10:00:00']],
    ['cron', 'skip', 'an hour', cron, HOUR_MS, []],
    ['cron', 'once', 'an hour', cron, HOUR_MS, ['10:20:00']],
    ['cron', 'all', 'an hour', cron, HOUR_MS, ['10:00:00', '10:20:00']],
    ['cron', 'skip', 'thirty days', cron, 30 * DAY_MS, []],
    ['cron', 'once', 'thirty days', cron, 30 * DAY_MS, ['09:20:00']],
    ['cron', 'all', 'thirty days', cron, 30 * DAY_MS, ['08:20:00', '09:00:00', '09:20:00']],
    ['at', 'skip', 'a second', at, SECOND_MS, []],
    ['at', 'once', 'a second', at, SECOND_MS, ['10:00:00']],
    ['at', 'all', 'a second', at, SECOND_MS, ['10:00:00']],
    ['at', 'skip', 'an hour', at, HOUR_MS, []],
    ['at', 'once', 'an hour', at, HOUR_MS, ['10:00:00']],
    ['at', 'all', 'an hour', at, HOUR_MS, ['10:00:00']],
    ['at', 'skip', 'thirty days', at, 30 * DAY_MS, []],
    ['at', 'once', 'thirty days', at, 30 * DAY_MS, []],
    ['at', 'all', 'thirty days', at, 30 * DAY_MS, []],
  ] as const)('%s, missed: %s, after %s', async ([, missed, , when, awayMs, expected]) => {
    expect(await slotsAfter({ schedule: when, missed, awayMs })).toEqual(expected);
  });

  test('all: each slot is a separate commit, in order, and new slots follow', async () => {
    const states = memoryStates({ idle: Date.parse('2026-11-20T09:59:30Z') });
    const clock = new ManualClock('2026-11-20T09:59:58Z');
    const rule = idle({ schedule: { everyMs: 10_000 }, missed: 'all', maxAgeMs: 60_000 });
    const { scheduler, ran } = await schedule({ rules: [rule], clock, states });

    await tickFor(scheduler, clock, 5);

    expect(ran()).toEqual(['idle 09:59:40', 'idle 09:59:50', 'idle 10:00:00']);
  });

  test('skip: slots during a suspension of the machine are skipped, slots of a late tick are not', async () => {
    const clock = new ManualClock('2026-11-20T09:59:50Z');
    const states = memoryStates({ idle: clock.nowMs() });
    const { scheduler, ran } = await schedule({ rules: [idle({ schedule: { everyMs: HOUR_MS }, missed: 'skip' })], clock, states });

    await scheduler.tick();
    clock.set('2026-11-20T10:00:08Z');
    await scheduler.tick();
    clock.set('2026-11-20T11:20:00Z');
    await tickFor(scheduler, clock, 3);
    clock.set('2026-11-20T12:00:00Z');
    await scheduler.tick();

    expect(ran()).toEqual(['idle 10:00:00', 'idle 12:00:00']);
  });

  test.for([
    ['once', ['10:00:00', '10:00:40']],
    ['skip', ['10:00:00', '10:00:40']],
    ['all', ['10:00:00', '10:00:20', '10:00:30', '10:00:40']],
  ] as const)('%s: slots of a late tick run for every maxAge, and slots while the program was down do not', async ([missed, expected]) => {
    const clock = new ManualClock('2026-11-20T09:59:55Z');
    const states = memoryStates({ idle: clock.nowMs() - 60_000 });
    const rule = idle({ schedule: { everyMs: 10_000 }, missed, maxAgeMs: 1_000 });
    const { scheduler, ran } = await schedule({ rules: [rule], clock, states });

    await scheduler.tick();
    clock.set('2026-11-20T10:00:03.200Z');
    await scheduler.tick();
    clock.set('2026-11-20T10:00:40.900Z');
    for (let tick = 0; tick < 4; tick++) await scheduler.tick();

    expect(ran().map((slot) => slot.slice('idle '.length))).toEqual(expected);
  });

  test('a new rule that watches nothing has missed no slot, and can miss later slots', async () => {
    const morning = idle({ schedule: { cron: '0 9 * * *', timezone: 'UTC' } });
    const clock = new ManualClock('2026-11-20T08:30:00Z');
    const states = memoryStates();
    await schedule({ rules: [morning], clock, states });
    clock.set('2026-11-20T09:30:00Z');

    const { scheduler, ran } = await schedule({ rules: [morning], clock, states });
    await tickFor(scheduler, clock, 1);

    expect(ran()).toEqual(['idle 09:00:00']);
  });

  test.for([
    ['at the very instant of a slot runs it', '2026-11-20T09:00:00Z', ['idle 09:00:00']],
    ['a millisecond after a slot does not run it', '2026-11-20T09:00:00.001Z', []],
  ] as const)('a rule that is first seen %s', async ([, now, expected]) => {
    const clock = new ManualClock(now);
    const { scheduler, ran } = await schedule({ rules: [idle({ schedule: { cron: '0 9 * * *', timezone: 'UTC' } })], clock });

    await tickFor(scheduler, clock, 2);

    expect(ran()).toEqual(expected);
  });
});

describe('at', () => {
  const once = (over: Partial<Rule> = {}): Rule => idle({ schedule: { atMs: Date.parse('2026-11-20T10:00:00Z') }, ...over });

  test('runs once, and not again after a restart', async () => {
    const clock = new ManualClock('2026-11-20T09:59:55Z');
    const states = memoryStates();
    const first = await schedule({ rules: [once()], clock, states });
    await tickFor(first.scheduler, clock, 10);

    const second = await schedule({ rules: [once()], clock, states });
    await tickFor(second.scheduler, clock, 10);

    expect(slotsRun(states)).toEqual(['idle 10:00:00']);
    expect(await nextMsOf(second.scheduler, 'idle')).toBeUndefined();
  });

  test.for(['skip', 'once', 'all'] as const)(
    'does not run if it had passed when it was first seen, with a warning: missed: %s',
    async (missed) => {
      const clock = new ManualClock('2026-11-20T10:00:01Z');
      const lines: string[] = [];
      const log = createLog({ level: 'warn', secrets: [], color: false, write: (line) => lines.push(line.slice(21).trim()) });
      const states = memoryStates();
      const first = await schedule({ rules: [once({ missed })], clock, states, log });
      await tickFor(first.scheduler, clock, 3);

      const second = await schedule({ rules: [once({ missed })], clock, states, log });
      await tickFor(second.scheduler, clock, 3);

      expect(slotsRun(states)).toEqual([]);
      expect(lines).toEqual([
        'warn  the time of a rule passed before the rule was loaded; the rule does not run rule=idle at=2026-11-20T10:00:00.000Z',
      ]);
    },
  );

  test('with watch, polls at the start and at its time; never if the time has passed', async () => {
    const clock = new ManualClock('2026-11-20T09:59:55Z');
    const watching = makeRule({ id: 'idle', schedule: { atMs: Date.parse('2026-11-20T10:00:00Z') } });
    const late = { ...watching, id: 'late', schedule: { atMs: Date.parse('2026-11-20T09:00:00Z') } };
    const { scheduler, ran } = await schedule({ rules: [watching, late], clock });

    await tickFor(scheduler, clock, 10);

    expect(ran()).toEqual(['idle 09:59:55*', 'idle 10:00:00']);
  });
});

describe('a clock that is set back, with missed: skip', () => {
  const EVERY: Schedule = { everyMs: 10_000 };

  test('a rule runs at the slots that come again before its start', async () => {
    const states = memoryStates({ idle: Date.parse('2026-11-20T09:00:00Z') });
    const clock = new ManualClock('2026-11-20T10:00:05Z');
    const { scheduler, ran } = await schedule({ rules: [idle({ schedule: EVERY, missed: 'skip' })], clock, states });
    await scheduler.tick();

    clock.set('2026-11-20T09:30:05Z');
    await tickFor(scheduler, clock, 20);

    expect(ran()).toEqual(['idle 09:30:10', 'idle 09:30:20']);
  });

  test('a rule repeats no slot that it ran, and continues after it', async () => {
    const states = memoryStates({ idle: Date.parse('2026-11-20T09:59:00Z') });
    const clock = new ManualClock('2026-11-20T10:00:09Z');
    const { scheduler, ran } = await schedule({ rules: [idle({ schedule: EVERY, missed: 'skip' })], clock, states });
    await tickFor(scheduler, clock, 4);

    clock.set('2026-11-20T09:59:55Z');
    await tickFor(scheduler, clock, 30);

    expect(ran()).toEqual(['idle 10:00:10', 'idle 10:00:20']);
  });
});

test.for([
  ['every', every],
  ['cron', cron],
  ['at', at],
] as const)('a rule with %s whose list is not known yet runs its slot once, when the list is known', async ([, when]) => {
  const clock = new ManualClock(UP_TO);
  const states = memoryStates({ idle: UP_TO });
  let isKnown = false;
  const lists = () => ({
    revision: String(isKnown),
    names: () => ['team'],
    entries: () => (isKnown ? [{ id: 'ada', list: 'team', server: undefined, fields: {} }] : []),
    problemOf: () => (isKnown ? undefined : 'the list team is missing'),
  });
  const read: unknown[] = [];
  const { scheduler, ran } = await schedule({
    rules: [idle({ schedule: when, readLists: ['team'] })],
    clock,
    states,
    made: ({ rule }) => (read.push(rule.lists?.['team']), {}),
    lists: { current: () => Promise.resolve(lists()) },
  });

  await tickFor(scheduler, clock, 60);
  expect(ran()).toEqual([]);
  isKnown = true;
  await tickFor(scheduler, clock, 120);

  expect([ran(), read]).toEqual([['idle 10:00:00'], [[expect.objectContaining({ id: 'ada' })]]]);
});
