import { describe, expect, test } from 'vitest';
import { cardRule, condition, DAY, HOUR, MINUTE, rankingRule, type RuleOptions } from './fixture.ts';
import { firings, play } from './play.ts';

const quick: RuleOptions = { while: [], finally: [], watched: { confirm: { new: 1, gone: 1 } } };
const sixHours = { forMs: 6 * HOUR, per: 'item' } as const;
const popular = condition('item.viewerCount >= 50', ({ item }) => Number(item?.['viewerCount']) >= 50);

describe('if', () => {
  test('is asked once, at the firing: what it refuses is not made up for', () => {
    const said = firings(cardRule({ if: popular }), ['0m', '1m ada=10', '2m ada=90', '3m ada=90', '4m', '5m']);

    expect(said).toEqual([]);
  });

  test('keeps the clause that was false as the reason', () => {
    const { decisions } = play(cardRule({ if: popular }), ['0m', '1m ada=10']);

    expect(decisions).toContain('1m refused ada: ada is #1 with 10 viewers, not announced: if: item.viewerCount >= 50 is false');
  });

  test('sees the whole list and all changes of the poll, whatever the steps look at', () => {
    const alone = condition('changes.entered.size() == 1', ({ items, changes }) => {
      return items?.length === 2 && Array.isArray(changes?.['entered']) && changes['entered'].length === 1;
    });

    const said = firings(cardRule({ ...quick, if: alone }), ['0m', '1m ada', '2m ada grace']);

    expect(said).toEqual(['2m then entered grace']);
  });

  test('is asked of who leaves, too', () => {
    const rule = cardRule({ ...quick, if: popular, watched: { ...quick.watched, changes: [{ kind: 'left' }] } });

    const { lines, decisions } = play(rule, ['0m ada=10 grace=90', '1m']);

    expect(lines).toEqual(['1m then left grace']);
    expect(decisions).toContain('1m refused ada: that ada left is not announced: if: item.viewerCount >= 50 is false');
  });
});

describe('cooldown', () => {
  test('holds for each item by itself, over the ends of its episodes', () => {
    const said = firings(rankingRule({ ...quick, cooldown: sixHours }), [
      '0m',
      '1m ada',
      '2m',
      '3m ada grace',
      '4m',
      '361m ada',
      '362m',
      '363m grace',
    ]);

    expect(said).toEqual(['1m then entered ada', '3m then entered grace', '361m then entered ada', '363m then entered grace']);
  });

  test('lasts for days, whoever is announced in between', () => {
    const rule = rankingRule({ ...quick, cooldown: { forMs: 7 * DAY, per: 'item' } });
    const atDay = (days: number): string => `${(days * DAY) / MINUTE + 1}m`;

    const said = firings(rule, ['0m', '1m ada', '2m', `${atDay(2)} grace`, `${atDay(3)} ada`, `${atDay(4)}`, `${atDay(7)} ada`]);

    expect(said).toEqual(['1m then entered ada', `${atDay(2)} then entered grace`, `${atDay(7)} then entered ada`]);
  });

  test('says when the last announcement was, and how long it still holds', () => {
    const { decisions } = play(rankingRule({ ...quick, cooldown: sixHours }), ['0m', '1m ada', '2m', '121m ada=740']);

    expect(decisions).toContain('121m refused ada: ada is #1 with 740 viewers, not announced: cooldown: last announced 2h ago, 4h left');
  });

  test('what it refuses is not made up for', () => {
    const said = firings(rankingRule({ ...quick, cooldown: { forMs: 5 * MINUTE, per: 'item' } }), [
      '0m',
      '1m ada',
      '2m',
      '3m ada',
      '9m ada',
      '12m ada',
    ]);

    expect(said).toEqual(['1m then entered ada']);
  });

  test('`per: rule` lets the better rank win', () => {
    const { lines, decisions } = play(cardRule({ ...quick, cooldown: { forMs: HOUR, per: 'rule' } }), [
      '0m',
      '1m grace ada',
      '2m grace ada linus',
    ]);

    expect(lines).toEqual(['1m then entered grace']);
    expect(decisions).toContain(
      '1m refused ada: ada is #2 with 100 viewers, not announced: cooldown: the rule last fired in this poll, 1h left',
    );
    expect(decisions).toContain(
      '2m refused linus: linus is #3 with 100 viewers, not announced: cooldown: the rule last fired 1m ago, 59m left',
    );
  });

  test('what was refused does not count as sent', () => {
    const rule = cardRule({ ...quick, cooldown: { forMs: 5 * MINUTE, per: 'rule' } });

    const said = firings(rule, ['0m', '1m ada', '4m ada grace', '6m ada grace linus']);

    expect(said).toEqual(['1m then entered ada', '6m then entered linus']);
  });

  test('is asked after `if`: the first that refuses is the reason', () => {
    const rule = rankingRule({ ...quick, if: popular, cooldown: sixHours });

    const { decisions } = play(rule, ['0m', '1m ada', '2m', '3m ada=10']);

    expect(decisions.at(-1)).toBe('3m refused ada: ada is #1 with 10 viewers, not announced: if: item.viewerCount >= 50 is false');
  });

  test('outlives an edit that brings it in or makes it longer', () => {
    const with12h = (rule: ReturnType<typeof cardRule>): typeof rule => ({ ...rule, cooldown: { forMs: 12 * HOUR, per: 'item' } });

    const said = firings(rankingRule(quick), ['0m', '1m ada', '2m', with12h, '600m ada', '601m', '722m ada']);

    expect(said).toEqual(['1m then entered ada', '722m then entered ada']);
  });

  test('may be longer than a day', () => {
    const rule = rankingRule({ ...quick, cooldown: { forMs: 2 * DAY, per: 'item' } });

    const said = firings(rule, ['0m', '1m ada', '2m', '25h', '47h ada', '2881m', '2882m ada']);

    expect(said).toEqual(['1m then entered ada', '2882m then entered ada']);
  });

  test('remembers no item for longer than it may still be asked about', () => {
    const { state } = play(rankingRule({ ...quick, cooldown: { forMs: 2 * DAY, per: 'item' } }), [
      '0m',
      '1m ada',
      '47h grace',
      '50h linus',
    ]);

    expect(Object.keys(state.memory.firedMs)).toEqual(['grace', 'linus']);
  });
});
