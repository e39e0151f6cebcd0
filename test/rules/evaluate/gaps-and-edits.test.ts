import { describe, expect, test } from 'vitest';
import { testCases, settle2m, thenAndFinally } from './cases.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import { cardRule, DAY, MINUTE, otherQuery, rankingRule, START_MS, stream } from './fixture.ts';
import { firings, runPolls } from './run-polls.ts';

describe('after a gap in the polls', () => {
  testCases([
    {
      promise: 'an item that began longer ago than `maxAge` is suppressed',
      rule: { while: [] },
      polls: ['0m', '3h ada@1h grace@150m'],
      fires: ['3h then entered grace'],
    },
    {
      promise: 'two slots without a poll are not a gap',
      polls: ['0m', '2m ada@-5h'],
      fires: ['2m then entered ada'],
    },
    {
      promise: 'three slots without a poll are a gap',
      polls: ['0m', '3m ada@-5h'],
      fires: [],
    },
    {
      promise: 'failed polls do not end a gap',
      polls: ['0m', '1m !', '2m !', '3m ada@-5h'],
      fires: [],
    },
    {
      promise: 'an item that is too old stays suppressed after `settle`',
      rule: settle2m,
      polls: ['0m', '3h ada@1h', '181m ada@1h', '182m ada@1h', '183m ada@1h'],
      fires: [],
    },
    {
      promise: 'an item without a start began at its first poll',
      polls: ['0m', '3h ada'],
      fires: ['3h then entered ada'],
    },
    {
      promise: 'a pending item continues `settle`',
      rule: { while: [], watched: { settleMs: 10 * MINUTE } },
      polls: ['0m', '1m ada', '30m ada'],
      fires: ['30m then entered ada'],
    },
    {
      promise: 'a missing item continues `grace`',
      rule: { while: [], watched: { graceMs: 15 * MINUTE } },
      polls: ['0m', '1m ada', '2m', '5h'],
      fires: ['1m then entered ada', '5h finally left ada'],
    },
  ]);

  test.for([
    { gap: true, fires: [] },
    { gap: false, fires: ['then ada@2026-11-21T18:00:00.000Z'] },
    { gap: undefined, fires: ['then ada@2026-11-21T18:00:00.000Z'] },
  ])('a cron schedule has the gap of the caller: $gap', ({ gap, fires }) => {
    const rule = cardRule({ schedule: { cron: '0 18 * * *', timezone: 'UTC' } });
    const { state } = runPolls(rule, ['0m']);
    const poll = { complete: true, items: [stream('ada', { startedAt: '2026-11-21T09:00:00Z' })] };

    const { firings: fired } = advance({ rule, state, poll, slotMs: START_MS + DAY, gap });

    expect(fired.map(({ section, episode }) => `${section} ${episode}`)).toEqual(fires);
  });
});

describe('edits', () => {
  test('the next good poll after an edit of the query is a baseline for items without an episode', () => {
    const fired = firings(cardRule({ while: [] }), ['0m', '1m ada', otherQuery, '2m !', '3m ada grace', '4m ada grace linus']);

    expect(fired).toEqual(['1m then entered ada', '4m then entered linus']);
  });

  test('it is a baseline even with `first: fire`', () => {
    const fired = firings(cardRule({ watched: { first: 'fire' } }), ['0m', otherQuery, '1m ada', '2m ada']);

    expect(fired).toEqual([]);
  });

  test('an item that the new query lacks closes at once', () => {
    const fired = firings(cardRule({ while: [] }), ['0m', '1m ada', otherQuery, '2m grace']);

    expect(fired).toEqual(['1m then entered ada', '2m finally left ada']);
  });

  test('a pending item keeps the instant of its first poll', () => {
    const fired = firings(cardRule(settle2m), ['0m', '1m ada', otherQuery, '2m ada', '3m ada']);

    expect(fired).toEqual(['3m then entered ada']);
  });

  test('an edited timer counts from its old start', () => {
    const shorter = (rule: ReturnType<typeof cardRule>): typeof rule =>
      cardRule({ ...rule, watched: { ...rule.watched, settleMs: MINUTE } });

    const fired = firings(cardRule({ watched: { settleMs: DAY } }), ['0m', '1m ada', shorter, '2m ada']);

    expect(fired).toEqual(['2m then entered ada']);
  });

  test('a live list that becomes a ranking reopens no episode', () => {
    const ranking = (rule: ReturnType<typeof cardRule>): typeof rule =>
      rankingRule({ ...rule, watched: { ...rule.watched, kind: 'ranking' } });

    const fired = firings(cardRule(thenAndFinally), ['0m', '1m ada', '2m', ranking, '3m', '4m ada']);

    expect(fired).toEqual(['1m then entered ada', '2m finally left ada', '4m then entered ada']);
  });

  test('a `while` that an edit adds is sent even if unchanged', () => {
    const withWhile = (rule: ReturnType<typeof cardRule>): typeof rule => ({ ...rule, while: cardRule().while });

    const { advances } = runPolls(cardRule({ while: [] }), ['0m', '1m ada', '2m ada', withWhile, '3m ada', '4m ada']);

    expect(advances.slice(3).map(({ firings: fired }) => fired.map(({ evenIfUnchanged }) => evenIfUnchanged))).toEqual([[true], [false]]);
  });
});
