import { describe, expect, test } from 'vitest';
import { aStep, cardRule, condition, falseIf, HOUR, MINUTE, type RuleOptions } from './fixture.ts';
import { runPolls } from './run-polls.ts';

const base: RuleOptions = { while: [], finally: [], readsList: true };
const goneAtOnce = { confirm: { new: 1, gone: 1 } };
const poll: RuleOptions = { ...base, watched: { per: 'poll', changes: [{ kind: 'entered' }, { kind: 'left' }], ...goneAtOnce } };
const slot: RuleOptions = { ...base, watched: { per: 'slot', ...goneAtOnce } };

describe('per: poll', () => {
  test('fires once with all changes of the poll, and not without changes', () => {
    const { lines } = runPolls(cardRule(poll), ['0m ada grace', '1m ada linus mary', '2m ada linus mary', '3m']);

    expect(lines).toEqual(['1m then entered linus, entered mary, left grace', '3m then left ada, left linus, left mary']);
  });

  test('fires for watched changes only, with all changes in `changes`', () => {
    const rule = cardRule({ ...poll, watched: { ...poll.watched, changes: [{ kind: 'left' }] } });

    expect(runPolls(rule, ['0m ada', '1m ada grace', '2m grace linus']).lines).toEqual(['2m then entered linus, left ada']);
  });

  test('evaluates `if` once, and suppressed changes are not announced later', () => {
    let asked = 0;
    const even = condition('items.size() % 2 == 0', ({ items = [] }) => {
      asked++;
      return items.length % 2 === 0;
    });

    const { lines, suppressions } = runPolls(cardRule({ ...poll, if: even }), [
      '0m',
      '1m ada grace linus',
      '2m ada grace linus mary',
      '3m ada grace linus mary',
    ]);

    expect(lines).toEqual(['2m then entered mary']);
    expect(asked).toBe(2);
    expect(suppressions).toEqual([['1m', undefined, falseIf('items.size() % 2 == 0')]]);
  });

  test('has the slot as its occasion and the rule as its queue', () => {
    const { advances } = runPolls(cardRule(poll), ['0m', '1m ada']);

    expect(advances[1]?.firings).toMatchObject([
      { queue: 'card', section: 'then', episode: '2026-11-20T18:01:00.000Z', occasion: '2026-11-20T18:01:00.000Z' },
    ]);
    expect(advances[1]?.firings[0]?.scope.item).toBeUndefined();
  });

  test('counts once for the fuse and the cooldown', () => {
    const rule = cardRule({ ...poll, cooldown: { forMs: 2 * MINUTE, per: 'item' } });

    expect(runPolls(rule, ['0m', '1m ada grace', '2m ada grace linus', '3m ada grace linus mary']).lines).toEqual([
      '1m then entered ada, entered grace',
      '3m then entered mary',
    ]);
  });
});

describe('per: slot', () => {
  test('fires at each good slot, with or without changes, for each value of `first`', () => {
    for (const first of ['silent', 'fire'] as const) {
      const rule = cardRule({ ...slot, watched: { ...slot.watched, first } });

      expect(runPolls(rule, ['0m ada', '1m ada', '2m !', '3m ada grace']).lines).toEqual(['0m then ', '1m then ', '3m then entered grace']);
    }
  });

  test('sees the whole list and the changes since the last good slot', () => {
    const { advances } = runPolls(cardRule(slot), ['0m ada', '1m !', '2m grace ada', '3m grace']);

    const scopes = advances.flatMap(({ firings }) => firings.map(({ scope }) => scope));

    expect(scopes.map(({ items }) => items?.length)).toEqual([1, 2, 1]);
    expect(scopes.map(({ changes }) => changes?.['left'])).toMatchObject([[], [], [{ kind: 'left', item: { id: 'ada-1' } }]]);
  });

  test('stores only the values that a step reads', () => {
    const { advances } = runPolls(cardRule({ ...slot, readsList: false }), ['0m ada']);

    expect(advances[0]?.firings[0]?.scope).toEqual({ rule: { id: 'card' }, now: '2026-11-20T18:00:00.000Z' });
  });

  test('has gates', () => {
    const rule = cardRule({ ...slot, cooldown: { forMs: HOUR, per: 'rule' } });

    const { lines, suppressions } = runPolls(rule, ['0m', '1m ada', '60m ada']);

    expect(lines).toEqual(['0m then ', '60m then ']);
    expect(suppressions).toEqual([['1m', undefined, { kind: 'cooldown', per: 'rule', agoMs: MINUTE, leftMs: 59 * MINUTE }]]);
  });

  test('a changed value is compared with the value of its slot afterwards', () => {
    const rule = cardRule({ ...slot, then: [aStep()], watched: { ...slot.watched, changes: [{ kind: 'changed', fields: ['title'] }] } });

    expect(runPolls(rule, ['0m ada:a', '1m ada:b', '2m ada:b']).lines).toEqual(['0m then ', '1m then changed ada', '2m then ']);
  });
});
