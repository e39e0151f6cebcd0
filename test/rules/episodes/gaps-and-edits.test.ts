import { describe, expect, test } from 'vitest';
import { sayAll, settle2m, thenAndFinally } from './cases.ts';
import { advance } from '#src/rules/episodes/advance.ts';
import { cardRule, DAY, MINUTE, rankingRule, START_MS, stream } from './fixture.ts';
import { firings, play } from './play.ts';

describe('after a gap in the polls', () => {
  sayAll([
    {
      promise: 'what began longer ago than maxAge opens silently',
      rule: { while: [] },
      polls: ['0m', '3h ada@1h grace@150m'],
      says: ['3h then entered grace'],
    },
    {
      promise: 'two slots are no gap',
      polls: ['0m', '2m ada@-5h'],
      says: ['2m then entered ada'],
    },
    {
      promise: 'three slots are one',
      polls: ['0m', '3m ada@-5h'],
      says: [],
    },
    {
      promise: 'failed polls do not fill it',
      polls: ['0m', '1m !', '2m !', '3m ada@-5h'],
      says: [],
    },
    {
      promise: 'what is too old stays silent when it has settled',
      rule: settle2m,
      polls: ['0m', '3h ada@1h', '181m ada@1h', '182m ada@1h', '183m ada@1h'],
      says: [],
    },
    {
      promise: 'what does not say when it began is as old as its first sight',
      polls: ['0m', '3h ada'],
      says: ['3h then entered ada'],
    },
    {
      promise: 'a pending item goes on settling where it stopped',
      rule: { while: [], watched: { settleMs: 10 * MINUTE } },
      polls: ['0m', '1m ada', '30m ada'],
      says: ['30m then entered ada'],
    },
    {
      promise: 'a missing item goes on missing where it stopped',
      rule: { while: [], watched: { graceMs: 15 * MINUTE } },
      polls: ['0m', '1m ada', '2m', '5h'],
      says: ['1m then entered ada', '5h finally left ada'],
    },
  ]);

  test.for([
    { gap: true, says: [] },
    { gap: false, says: ['then ada@2026-11-21T18:00:00.000Z'] },
    { gap: undefined, says: ['then ada@2026-11-21T18:00:00.000Z'] },
  ])('a schedule by cron has the gap that the caller tells of: $gap', ({ gap, says }) => {
    const rule = cardRule({ schedule: { cron: '0 18 * * *', timezone: 'UTC' } });
    const { state } = play(rule, ['0m']);
    const poll = { complete: true, items: [stream('ada', { startedAt: '2026-11-21T09:00:00Z' })] };

    const { firings: fired } = advance({ rule, state, poll, slotMs: START_MS + DAY, gap });

    expect(fired.map(({ section, episode }) => `${section} ${episode}`)).toEqual(says);
  });
});

describe('edits', () => {
  const otherList = (rule: ReturnType<typeof cardRule>): typeof rule =>
    cardRule({ ...rule, watched: { ...rule.watched, fingerprint: 'another list' } });

  test('the next good poll after an edit of the list is a baseline for items without an episode', () => {
    const said = firings(cardRule({ while: [] }), ['0m', '1m ada', otherList, '2m !', '3m ada grace', '4m ada grace linus']);

    expect(said).toEqual(['1m then entered ada', '4m then entered linus']);
  });

  test('it is a baseline also where the rule says `first: fire`', () => {
    const said = firings(cardRule({ watched: { first: 'fire' } }), ['0m', otherList, '1m ada', '2m ada']);

    expect(said).toEqual([]);
  });

  test('what the new list lacks goes the usual way, finally included', () => {
    const said = firings(cardRule(thenAndFinally), ['0m', '1m ada', otherList, '2m grace']);

    expect(said).toEqual(['1m then entered ada', '2m finally left ada']);
  });

  test('a pending item keeps its timer', () => {
    const said = firings(cardRule(settle2m), ['0m', '1m ada', otherList, '2m ada', '3m ada']);

    expect(said).toEqual(['3m then entered ada']);
  });

  test('a timer that is edited counts from its old start', () => {
    const shorter = (rule: ReturnType<typeof cardRule>): typeof rule =>
      cardRule({ ...rule, watched: { ...rule.watched, settleMs: MINUTE } });

    const said = firings(cardRule({ watched: { settleMs: DAY } }), ['0m', '1m ada', shorter, '2m ada']);

    expect(said).toEqual(['2m then entered ada']);
  });

  test('a list of the living that becomes a ranking has nothing to reopen', () => {
    const ranking = (rule: ReturnType<typeof cardRule>): typeof rule =>
      rankingRule({ ...rule, watched: { ...rule.watched, kind: 'ranking' } });

    const said = firings(cardRule(thenAndFinally), ['0m', '1m ada', '2m', ranking, '3m', '4m ada']);

    expect(said).toEqual(['1m then entered ada', '2m finally left ada', '4m then entered ada']);
  });

  test('a while that is added to a running episode is sent, whatever it looks like', () => {
    const withWhile = (rule: ReturnType<typeof cardRule>): typeof rule => ({ ...rule, while: cardRule().while });

    const { advances } = play(cardRule({ while: [] }), ['0m', '1m ada', '2m ada', withWhile, '3m ada', '4m ada']);

    expect(advances.slice(3).map(({ firings: fired }) => fired.map(({ afresh }) => afresh))).toEqual([[true], [false]]);
  });
});
