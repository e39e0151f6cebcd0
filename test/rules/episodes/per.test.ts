import { describe, expect, test } from 'vitest';
import { aStep, cardRule, condition, HOUR, MINUTE, type RuleOptions } from './fixture.ts';
import { play } from './play.ts';

const base: RuleOptions = { while: [], finally: [], readsList: true };
const goneAtOnce = { confirm: { new: 1, gone: 1 } };
const poll: RuleOptions = { ...base, watched: { per: 'poll', changes: [{ kind: 'entered' }, { kind: 'left' }], ...goneAtOnce } };
const slot: RuleOptions = { ...base, watched: { per: 'slot', ...goneAtOnce } };

describe('per: poll', () => {
  test('is one firing with all changes of the poll, and none where nothing changed', () => {
    const { lines } = play(cardRule(poll), ['0m ada grace', '1m ada linus mary', '2m ada linus mary', '3m']);

    expect(lines).toEqual(['1m then entered linus, entered mary, left grace', '3m then left ada, left linus, left mary']);
  });

  test('fires for what the rule asks for alone; the rest is told with it', () => {
    const rule = cardRule({ ...poll, watched: { ...poll.watched, changes: [{ kind: 'left' }] } });

    expect(play(rule, ['0m ada', '1m ada grace', '2m grace linus']).lines).toEqual(['2m then entered linus, left ada']);
  });

  test('asks `if` once for the poll, and what it refuses is not made up for', () => {
    let asked = 0;
    const even = condition('items.size() % 2 == 0', ({ items = [] }) => {
      asked++;
      return items.length % 2 === 0;
    });

    const { lines, decisions } = play(cardRule({ ...poll, if: even }), [
      '0m',
      '1m ada grace linus',
      '2m ada grace linus mary',
      '3m ada grace linus mary',
    ]);

    expect(lines).toEqual(['2m then entered mary']);
    expect(asked).toBe(2);
    expect(decisions).toContain('1m refused: 3 entered (ada, grace, linus), not announced: if: items.size() % 2 == 0 is false');
  });

  test('has the slot as its occasion and the rule as its queue', () => {
    const { advances } = play(cardRule(poll), ['0m', '1m ada']);

    expect(advances[1]?.firings).toMatchObject([
      { queue: 'card', section: 'then', episode: '2026-11-20T18:01:00.000Z', occasion: '2026-11-20T18:01:00.000Z' },
    ]);
    expect(advances[1]?.firings[0]?.scope.item).toBeUndefined();
  });

  test('counts once for the fuse and the cooldown', () => {
    const rule = cardRule({ ...poll, cooldown: { forMs: 2 * MINUTE, per: 'item' } });

    expect(play(rule, ['0m', '1m ada grace', '2m ada grace linus', '3m ada grace linus mary']).lines).toEqual([
      '1m then entered ada, entered grace',
      '3m then entered mary',
    ]);
  });
});

describe('per: slot', () => {
  test('fires every slot that was read, whatever changed and whatever `first` says', () => {
    for (const first of ['silent', 'fire'] as const) {
      const rule = cardRule({ ...slot, watched: { ...slot.watched, first } });

      expect(play(rule, ['0m ada', '1m ada', '2m !', '3m ada grace']).lines).toEqual(['0m then ', '1m then ', '3m then entered grace']);
    }
  });

  test('sees the whole list and the changes since the last slot that was read', () => {
    const { advances } = play(cardRule(slot), ['0m ada', '1m !', '2m grace ada', '3m grace']);

    const scopes = advances.flatMap(({ firings }) => firings.map(({ scope }) => scope));

    expect(scopes.map(({ items }) => items?.length)).toEqual([1, 2, 1]);
    expect(scopes.map(({ changes }) => changes?.['left'])).toMatchObject([[], [], [{ kind: 'left', item: { id: 'ada-1' } }]]);
  });

  test('keeps nothing that no step looks at', () => {
    const { advances } = play(cardRule({ ...slot, readsList: false }), ['0m ada']);

    expect(advances[0]?.firings[0]?.scope).toEqual({ rule: { id: 'card' }, now: '2026-11-20T18:00:00.000Z' });
  });

  test('is held back by its gates like any other', () => {
    const rule = cardRule({ ...slot, cooldown: { forMs: HOUR, per: 'rule' } });

    const { lines, decisions } = play(rule, ['0m', '1m ada', '60m ada']);

    expect(lines).toEqual(['0m then ', '60m then ']);
    expect(decisions).toContain('1m refused: nothing is done: cooldown: the rule last fired 1m ago, 59m left');
  });

  test('a value that changed is over with once its slot was read', () => {
    const rule = cardRule({ ...slot, then: [aStep()], watched: { ...slot.watched, changes: [{ kind: 'changed', fields: ['title'] }] } });

    expect(play(rule, ['0m ada:a', '1m ada:b', '2m ada:b']).lines).toEqual(['0m then ', '1m then changed ada', '2m then ']);
  });
});
