import { describe, expect, test } from 'vitest';
import { cardRule, condition, DAY, falseIf, HOUR, MINUTE, rankingRule, type RuleOptions } from './fixture.ts';
import { firings, runPolls } from './run-polls.ts';

const quick: RuleOptions = { while: [], finally: [], watched: { confirm: { new: 1, gone: 1 } } };
const sixHours = { forMs: 6 * HOUR, per: 'item' } as const;
const popular = condition('item.viewerCount >= 50', ({ item }) => Number(item?.['viewerCount']) >= 50);

describe('if', () => {
  test('decides once, at the firing: a suppressed change is not announced later', () => {
    const fired = firings(cardRule({ if: popular }), ['0m', '1m ada=10', '2m ada=90', '3m ada=90', '4m', '5m']);

    expect(fired).toEqual([]);
  });

  test('the false clause is the reason', () => {
    const { suppressions } = runPolls(cardRule({ if: popular }), ['0m', '1m ada=10']);

    expect(suppressions).toEqual([['1m', 'ada', falseIf('item.viewerCount >= 50')]]);
  });

  test('sees the whole list and all changes, even if no step reads them', () => {
    const alone = condition('changes.entered.size() == 1', ({ items, changes }) => {
      return items?.length === 2 && Array.isArray(changes?.['entered']) && changes['entered'].length === 1;
    });

    const fired = firings(cardRule({ ...quick, if: alone }), ['0m', '1m ada', '2m ada grace']);

    expect(fired).toEqual(['2m then entered grace']);
  });

  test('applies to items that leave too', () => {
    const rule = cardRule({ ...quick, if: popular, watched: { ...quick.watched, changes: [{ kind: 'left' }] } });

    const { lines, suppressions } = runPolls(rule, ['0m ada=10 grace=90', '1m']);

    expect(lines).toEqual(['1m then left grace']);
    expect(suppressions).toContainEqual(['1m', 'ada', falseIf('item.viewerCount >= 50')]);
  });
});

describe('cooldown', () => {
  test('holds for each item, even after its episode closed', () => {
    const fired = firings(rankingRule({ ...quick, cooldown: sixHours }), [
      '0m',
      '1m ada',
      '2m',
      '3m ada grace',
      '4m',
      '361m ada',
      '362m',
      '363m grace',
    ]);

    expect(fired).toEqual(['1m then entered ada', '3m then entered grace', '361m then entered ada', '363m then entered grace']);
  });

  test('does not hold for a new item with the name of a property of all objects', () => {
    expect(firings(rankingRule({ ...quick, cooldown: sixHours }), ['0m', '1m constructor'])).toEqual(['1m then entered constructor']);
  });

  test('lasts for days, even if other items are announced in between', () => {
    const rule = rankingRule({ ...quick, cooldown: { forMs: 7 * DAY, per: 'item' } });
    const atDay = (days: number): string => `${(days * DAY) / MINUTE + 1}m`;

    const fired = firings(rule, ['0m', '1m ada', '2m', `${atDay(2)} grace`, `${atDay(3)} ada`, `${atDay(4)}`, `${atDay(7)} ada`]);

    expect(fired).toEqual(['1m then entered ada', `${atDay(2)} then entered grace`, `${atDay(7)} then entered ada`]);
  });

  test('the suppression has the time since the last announcement and the time left', () => {
    const { suppressions } = runPolls(rankingRule({ ...quick, cooldown: sixHours }), ['0m', '1m ada', '2m', '121m ada=740']);

    expect(suppressions).toEqual([['121m', 'ada', { kind: 'cooldown', per: 'item', agoMs: 2 * HOUR, leftMs: 4 * HOUR }]]);
  });

  test('a suppressed change is not announced later', () => {
    const fired = firings(rankingRule({ ...quick, cooldown: { forMs: 5 * MINUTE, per: 'item' } }), [
      '0m',
      '1m ada',
      '2m',
      '3m ada',
      '9m ada',
      '12m ada',
    ]);

    expect(fired).toEqual(['1m then entered ada']);
  });

  test('`per: rule` announces the better rank', () => {
    const { lines, suppressions } = runPolls(cardRule({ ...quick, cooldown: { forMs: HOUR, per: 'rule' } }), [
      '0m',
      '1m grace ada',
      '2m grace ada linus',
    ]);

    expect(lines).toEqual(['1m then entered grace']);
    expect(suppressions).toEqual([
      ['1m', 'ada', { kind: 'cooldown', per: 'rule', agoMs: 0, leftMs: HOUR }],
      ['2m', 'linus', { kind: 'cooldown', per: 'rule', agoMs: MINUTE, leftMs: 59 * MINUTE }],
    ]);
  });

  test('suppressed firings do not count', () => {
    const rule = cardRule({ ...quick, cooldown: { forMs: 5 * MINUTE, per: 'rule' } });

    const fired = firings(rule, ['0m', '1m ada', '4m ada grace', '6m ada grace linus']);

    expect(fired).toEqual(['1m then entered ada', '6m then entered linus']);
  });

  test('decides after `if`: the first gate that blocks is the reason', () => {
    const rule = rankingRule({ ...quick, if: popular, cooldown: sixHours });

    const { suppressions } = runPolls(rule, ['0m', '1m ada', '2m', '3m ada=10']);

    expect(suppressions).toEqual([['3m', 'ada', falseIf('item.viewerCount >= 50')]]);
  });

  test('an edit that adds or lengthens the cooldown counts earlier firings', () => {
    const with12h = (rule: ReturnType<typeof cardRule>): typeof rule => ({ ...rule, cooldown: { forMs: 12 * HOUR, per: 'item' } });

    const fired = firings(rankingRule(quick), ['0m', '1m ada', '2m', with12h, '600m ada', '601m', '722m ada']);

    expect(fired).toEqual(['1m then entered ada', '722m then entered ada']);
  });

  test('may be longer than a day', () => {
    const rule = rankingRule({ ...quick, cooldown: { forMs: 2 * DAY, per: 'item' } });

    const fired = firings(rule, ['0m', '1m ada', '2m', '25h', '47h ada', '2881m', '2882m ada']);

    expect(fired).toEqual(['1m then entered ada', '2882m then entered ada']);
  });

  test('forgets firings that are older than the cooldown', () => {
    const { state } = runPolls(rankingRule({ ...quick, cooldown: { forMs: 2 * DAY, per: 'item' } }), [
      '0m',
      '1m ada',
      '47h grace',
      '50h linus',
    ]);

    expect(Object.keys(state.memory.firedMs)).toEqual(['grace', 'linus']);
  });
});
