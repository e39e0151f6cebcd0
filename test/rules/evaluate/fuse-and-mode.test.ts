import { describe, expect, test } from 'vitest';
import { advance } from '#src/rules/evaluate/advance.ts';
import { suppressionOf } from '#src/rules/reasons/reason.ts';
import type { Rule } from '#src/rules/rule.ts';
import { cardRule, HOUR, MINUTE, slotRule, START_MS, stream, type RuleOptions } from './fixture.ts';
import { runPolls } from './run-polls.ts';

describe('fuse', () => {
  const two: RuleOptions = { while: [], fuse: { firings: 2, perMs: HOUR }, watched: { confirm: { new: 1, gone: 1 } } };

  test('one firing too many is suppressed and pauses the rule until an operator resumes it', () => {
    const { lines, suppressions, state } = runPolls(cardRule(two), ['0m', '1m ada grace linus kay', '200m ada grace linus kay mary']);

    expect(lines).toEqual(['1m then entered ada', '1m then entered grace']);
    expect(state.memory.blownMs).toBe(START_MS + MINUTE);
    expect(suppressions).toEqual([
      ['1m', 'linus', { kind: 'fuseLimitReached', firings: 2, perMs: HOUR, limit: 2 }],
      ['1m', 'kay', { kind: 'fuseLimitReached', firings: 2, perMs: HOUR, limit: 2 }],
      ['200m', 'mary', { kind: 'fuseBlown', agoMs: 199 * MINUTE, limit: 2, perMs: HOUR }],
    ]);
  });

  test('open cards are still updated and closed', () => {
    const { lines } = runPolls(cardRule({ ...two, while: cardRule().while }), ['0m', '1m ada grace linus', '2m ada grace linus', '3m']);

    expect(lines.filter((line) => line.startsWith('2m while') || line.startsWith('3m finally'))).toEqual([
      '2m while ada',
      '2m while grace',
      '3m finally left ada',
      '3m finally left grace',
    ]);
  });

  test('counts the firings of its period', () => {
    const { lines } = runPolls(cardRule({ ...two, finally: [] }), [
      '0m',
      '1m ada',
      '2m ada grace',
      '61m ada grace linus',
      '62m ada grace linus mary',
    ]);

    expect(lines).toHaveLength(4);
  });

  test('stays blown after an edit', () => {
    const wider = (rule: Rule): Rule => ({ ...rule, fuse: { firings: 100, perMs: HOUR } });

    expect(runPolls(cardRule(two), ['0m', '1m ada grace linus', wider, '2m ada grace linus mary']).lines).toHaveLength(2);
  });

  test('after the rule is resumed, new changes are announced', () => {
    const { state } = runPolls(cardRule(two), ['0m', '1m ada grace linus']);
    const resumed = { ...state, memory: { ...state.memory, blownMs: undefined, fusedMs: [] } };

    expect(runPolls(cardRule(two), ['2m ada grace linus', '3m ada grace linus mary'], resumed).lines).toEqual(['3m then entered mary']);
  });

  test('decides after `if` and before the cooldown', () => {
    const rule = slotRule({ fuse: { firings: 1, perMs: HOUR }, cooldown: { forMs: HOUR, per: 'rule' } });

    expect(runPolls(rule, ['0m', '1m']).suppressions).toEqual([
      ['1m', undefined, { kind: 'fuseLimitReached', firings: 1, perMs: HOUR, limit: 1 }],
    ]);
  });
});

describe('mode', () => {
  const firing = (rule: Partial<Rule>, delivering: Readonly<Record<string, number>>): ReturnType<typeof advance> => {
    const { state } = runPolls(cardRule({ ...rule, while: [] }), ['0m']);
    const poll = { complete: true, items: [stream('ada')] };
    const open = new Map(Object.entries(delivering));
    return advance({ rule: cardRule({ ...rule, while: [] }), state: { ...state, delivering: open }, poll, slotMs: START_MS + MINUTE });
  };
  const suppressionsOf = ({ decisions }: ReturnType<typeof advance>): readonly unknown[] =>
    decisions.filter(({ outcome }) => outcome === 'suppressed').map(({ reason }) => reason && suppressionOf(reason));

  test.for([
    { mode: 'queued', max: 2, open: { 'card/ada': 2 }, refused: false },
    { mode: 'queued', max: 2, open: { 'card/ada': 3 }, refused: true },
    { mode: 'queued', max: 2, open: { 'card/grace': 9, card: 9 }, refused: false },
    { mode: 'single', max: 2, open: { 'card/ada': 1 }, refused: true },
    { mode: 'single', max: 2, open: { 'card/grace': 1 }, refused: false },
    { mode: 'parallel', max: 2, open: { 'card/ada#3': 1 }, refused: false },
    { mode: 'parallel', max: 2, open: { 'card/ada#3': 1, 'card/ada#4': 1 }, refused: true },
    { mode: 'restart', max: 1, open: { 'card/ada': 3 }, refused: false },
  ] as const)('$mode with at most $max and $open refuses: $refused', ({ mode, max, open, refused }) => {
    const one = firing({ mode, max }, open);

    expect(suppressionsOf(one)).toHaveLength(refused ? 1 : 0);
    expect(one.firings).toHaveLength(refused ? 0 : 1);
  });

  test('the suppression has the number of waiting firings', () => {
    expect(suppressionsOf(firing({ mode: 'queued', max: 2 }, { 'card/ada': 3 }))).toEqual([{ kind: 'queueFull', waiting: 2, limit: 2 }]);
  });

  test('restart withdraws undelivered firings of `then` in the same queue', () => {
    const { withdrawals, firings } = firing({ mode: 'restart' }, { 'card/ada': 1 });

    expect(withdrawals).toEqual([
      {
        rule: 'card',
        of: { queue: 'card/ada' },
        section: 'then',
        message: expect.any(String),
        reason: { kind: 'replaced' },
      },
    ]);
    expect(firings).toHaveLength(1);
    expect(firing({ mode: 'restart' }, {}).withdrawals).toEqual([]);
  });

  test('parallel gives each firing a separate queue', () => {
    expect(firing({ mode: 'parallel' }, {}).firings.map(({ queue }) => queue)).toEqual(['card/ada#1']);
  });

  test('counts the firings of its poll', () => {
    const rule = cardRule({
      while: [],
      mode: 'single',
      watched: { changes: [{ kind: 'entered' }, { kind: 'rose', field: 'viewerCount', lines: [{ at: 50, rearm: 50 }] }] },
    });

    expect(runPolls(rule, ['0m', '1m ada grace']).lines).toEqual(['1m then entered ada', '1m then entered grace']);
  });

  test('suppressed firings do not count for cooldown and fuse', () => {
    const { change } = firing({ mode: 'single' }, { 'card/ada': 1 });

    expect(change?.memory).toMatchObject({ firings: 0, firedMs: {} });
  });

  test('decides last: a firing that the cooldown suppresses withdraws nothing', () => {
    const rule = cardRule({ mode: 'restart', cooldown: { forMs: HOUR, per: 'rule' }, while: [] });
    const { state } = runPolls(rule, ['0m', '1m ada']);
    const poll = { complete: true, items: [stream('ada'), stream('grace')] };

    const one = advance({ rule, state: { ...state, delivering: new Map([['card/grace', 1]]) }, poll, slotMs: START_MS + 2 * MINUTE });

    expect(one.withdrawals).toEqual([]);
  });
});
