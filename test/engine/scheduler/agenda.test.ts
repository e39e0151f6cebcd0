import { expect, test } from 'vitest';
import type { Rule } from '#src/rules/rule.ts';
import { createAgenda } from '#src/engine/scheduler/agenda.ts';
import { makeRule, makeWatched } from '../../support/rules.ts';

const SLOT_MS = Date.parse('2026-11-20T18:00:00Z');
const failed = { failure: 'unavailable' };
const minutely: Rule['schedule'] = { cron: '* * * * *', timezone: 'UTC' };

test.for([
  ['before the next slot', 54_999, true],
  ['at the next slot, which polls anyway', 55_000, false],
] as const)('a failed poll is retried only if the retry comes %s', ([, tookMs, expected]) => {
  const agenda = createAgenda();
  const rule = makeRule({ schedule: minutely });
  agenda.put(rule, { last: { slotMs: SLOT_MS - 1 }, startMs: SLOT_MS, wasDown: true });
  const [due] = agenda.due(SLOT_MS);
  if (!due) throw new Error('the rule is not due');

  expect(agenda.retryFailedPoll(due, failed, SLOT_MS + tookMs)).toBe(expected);
});

test.for([
  [180_000, true],
  [179_999, false],
] as const)('a poll %i ms after the last one has a gap of more than two minutely slots: %s', ([passedMs, expected]) => {
  const agenda = createAgenda();
  agenda.put(makeRule({ schedule: minutely }), { last: { slotMs: SLOT_MS }, startMs: SLOT_MS, wasDown: true });

  expect(agenda.hasGap('live', { sinceMs: SLOT_MS, slotMs: SLOT_MS + passedMs })).toBe(expected);
});

test.for([
  { edit: 'a shorter interval', before: { everyMs: 7_200_000 }, afterMs: 6_000_000, passedMs: 6_060_000, expected: false },
  { edit: 'a shorter interval, after missed polls', before: { everyMs: 600_000 }, afterMs: 6_000_000, passedMs: 6_060_000, expected: true },
  { edit: 'a shorter interval, before missed polls', before: { everyMs: 7_200_000 }, afterMs: 60_000, passedMs: 600_000, expected: true },
  {
    edit: 'another cron expression',
    before: { cron: '0 18 * * *', timezone: 'UTC' },
    afterMs: 6_000_000,
    passedMs: 6_060_000,
    expected: false,
  },
] as const)('slots before an edit of the schedule make no gap: $edit, $expected', ({ before, afterMs, passedMs, expected }) => {
  const start = { last: { slotMs: SLOT_MS }, startMs: SLOT_MS, wasDown: false };
  for (const schedule of [{ everyMs: 60_000 }, minutely]) {
    const agenda = createAgenda();
    const rule = makeRule({ schedule: before });
    agenda.put(rule, start);
    agenda.put({ ...rule, version: '2', schedule }, { ...start, startMs: SLOT_MS + afterMs });
    const slotMs = SLOT_MS + passedMs;

    expect(agenda.hasGap(rule.id, { sinceMs: SLOT_MS, slotMs })).toBe(expected);

    agenda.finish(rule.id, { slotMs, nowMs: slotMs, wakeMs: undefined });

    expect(agenda.hasGap(rule.id, { sinceMs: slotMs, slotMs: slotMs + 60_000 }) ?? false).toBe(false);
  }
});

test('a rule is open while it is due or runs', () => {
  const agenda = createAgenda();
  const rule = makeRule({ schedule: minutely });
  agenda.put(rule, { last: { slotMs: SLOT_MS - 1 }, startMs: SLOT_MS, wasDown: true });
  const open = [agenda.open(SLOT_MS - 1), agenda.open(SLOT_MS)];
  agenda.begin(rule.id);
  open.push(agenda.open(SLOT_MS - 1));

  expect(open).toEqual([0, 1, 1]);
});

test('hints about several names during a poll bring one poll about all of them', () => {
  const agenda = createAgenda();
  const rule = makeRule({ schedule: { everyMs: 60_000 }, watched: makeWatched({ with: { users: ['ada', 'grace'] } }) });
  agenda.put(rule, { last: { slotMs: SLOT_MS - 1 }, startMs: SLOT_MS, wasDown: false });
  agenda.begin(rule.id);
  agenda.hurry({ rule: rule.id, names: ['ada'], accounts: ['twitch'] }, SLOT_MS);
  agenda.hurry({ rule: rule.id, names: ['grace'], accounts: ['kick'] }, SLOT_MS + 1);
  agenda.finish(rule.id, { slotMs: SLOT_MS, nowMs: SLOT_MS + 2, wakeMs: undefined });
  agenda.end(rule.id, SLOT_MS + 2);

  expect(agenda.due(SLOT_MS + 1_000)).toMatchObject([{ names: ['ada', 'grace'], hintedBy: ['twitch', 'kick'] }]);
});

test('a poll of some names that ends after a slot of the schedule leaves this slot due', () => {
  const agenda = createAgenda();
  const rule = makeRule({ schedule: { everyMs: 60_000 }, watched: makeWatched({ with: { users: ['ada', 'grace'] } }) });
  agenda.put(rule, { last: { slotMs: SLOT_MS }, startMs: SLOT_MS, wasDown: false });
  agenda.hurry({ rule: rule.id, names: ['ada'], accounts: ['twitch'] }, SLOT_MS + 59_000);
  const [hinted] = agenda.due(SLOT_MS + 59_000);
  agenda.begin(rule.id);
  agenda.finish(rule.id, { slotMs: SLOT_MS + 59_000, nowMs: SLOT_MS + 61_000, wakeMs: undefined, isPartial: true });
  agenda.end(rule.id, SLOT_MS + 61_000);

  expect(hinted?.names).toEqual(['ada']);
  expect(agenda.due(SLOT_MS + 61_000)).toMatchObject([{ slotMs: SLOT_MS + 60_000, woken: false, names: undefined }]);
});
