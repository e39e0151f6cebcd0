import { describe, expect, test } from 'vitest';
import { advance } from '#src/rules/episodes/advance.ts';
import type { Rule } from '#src/rules/rule.ts';
import { cardRule, HOUR, MINUTE, slotRule, START_MS, stream, type RuleOptions } from './fixture.ts';
import { play } from './play.ts';

describe('fuse', () => {
  const two: RuleOptions = { while: [], fuse: { firings: 2, perMs: HOUR }, watched: { confirm: { new: 1, gone: 1 } } };

  test('the firing past it is not sent, and the rule is paused until it is resumed', () => {
    const { lines, decisions, state } = play(cardRule(two), ['0m', '1m ada grace linus', '200m ada grace linus mary']);

    expect(lines).toEqual(['1m then entered ada', '1m then entered grace']);
    expect(state.memory.blownMs).toBe(START_MS + MINUTE);
    expect(decisions).toContain(
      '1m refused linus: linus is #3 with 100 viewers, not announced: fuse: 2 firings in 1h, no more than 2 are allowed; the rule is paused until it is resumed',
    );
    expect(decisions).toContain(
      '200m refused mary: mary is #4 with 100 viewers, not announced: fuse: it blew 3h 19m ago; the rule is paused until it is resumed',
    );
  });

  test('what is open is still edited and closed', () => {
    const { lines } = play(cardRule({ ...two, while: cardRule().while }), ['0m', '1m ada grace linus', '2m ada grace linus', '3m']);

    expect(lines.filter((line) => line.startsWith('2m while') || line.startsWith('3m finally'))).toEqual([
      '2m while ada',
      '2m while grace',
      '3m finally left ada',
      '3m finally left grace',
    ]);
  });

  test('counts what was sent within its time', () => {
    const { lines } = play(cardRule({ ...two, finally: [] }), [
      '0m',
      '1m ada',
      '2m ada grace',
      '61m ada grace linus',
      '62m ada grace linus mary',
    ]);

    expect(lines).toHaveLength(4);
  });

  test('stays blown over an edit of it', () => {
    const wider = (rule: Rule): Rule => ({ ...rule, fuse: { firings: 100, perMs: HOUR } });

    expect(play(cardRule(two), ['0m', '1m ada grace linus', wider, '2m ada grace linus mary']).lines).toHaveLength(2);
  });

  test('speaks again of what comes after it was resumed', () => {
    const { state } = play(cardRule(two), ['0m', '1m ada grace linus']);
    const resumed = { ...state, memory: { ...state.memory, blownMs: undefined, fusedMs: [] } };

    expect(play(cardRule(two), ['2m ada grace linus', '3m ada grace linus mary'], resumed).lines).toEqual(['3m then entered mary']);
  });

  test('is asked before the cooldown, and after `if`', () => {
    const rule = slotRule({ fuse: { firings: 1, perMs: HOUR }, cooldown: { forMs: HOUR, per: 'rule' } });

    expect(play(rule, ['0m', '1m']).decisions[1]).toMatch(/fuse: 1 firing in 1h/);
  });
});

describe('mode', () => {
  const firing = (rule: Partial<Rule>, delivering: Readonly<Record<string, number>>): ReturnType<typeof advance> => {
    const { state } = play(cardRule({ ...rule, while: [] }), ['0m']);
    const poll = { complete: true, items: [stream('ada')] };
    const open = new Map(Object.entries(delivering));
    return advance({ rule: cardRule({ ...rule, while: [] }), state: { ...state, delivering: open }, poll, slotMs: START_MS + MINUTE });
  };
  const refusals = ({ decisions }: ReturnType<typeof advance>): readonly string[] =>
    decisions.filter(({ outcome }) => outcome === 'refused').map(({ reason }) => reason);

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

    expect(refusals(one)).toHaveLength(refused ? 1 : 0);
    expect(one.firings).toHaveLength(refused ? 0 : 1);
  });

  test('says how many wait, and what to look at', () => {
    expect(refusals(firing({ mode: 'queued', max: 2 }, { 'card/ada': 3 }))).toEqual([
      'ada is #1 with 100 viewers, not announced: mode queued: 2 firings wait already, at most 2 may: is a target in trouble?',
    ]);
  });

  test('restart takes back what is undelivered of the same queue, of `then` alone', () => {
    const { withdrawals, firings } = firing({ mode: 'restart' }, { 'card/ada': 1 });

    expect(withdrawals).toEqual([
      {
        rule: 'card',
        of: { queue: 'card/ada' },
        section: 'then',
        reason: 'mode restart: a newer firing takes its place',
        why: { kind: 'replaced' },
      },
    ]);
    expect(firings).toHaveLength(1);
    expect(firing({ mode: 'restart' }, {}).withdrawals).toEqual([]);
  });

  test('parallel gives each firing a queue of its own', () => {
    expect(firing({ mode: 'parallel' }, {}).firings.map(({ queue }) => queue)).toEqual(['card/ada#1']);
  });

  test('counts the firings of the poll itself', () => {
    const rule = cardRule({
      while: [],
      mode: 'single',
      watched: { changes: [{ kind: 'entered' }, { kind: 'rose', field: 'viewerCount', lines: [{ at: 50, rearm: 50 }] }] },
    });

    expect(play(rule, ['0m', '1m ada grace']).lines).toEqual(['1m then entered ada', '1m then entered grace']);
  });

  test('what it refuses does not count for cooldown and fuse', () => {
    const { change } = firing({ mode: 'single' }, { 'card/ada': 1 });

    expect(change?.memory).toMatchObject({ firings: 0, firedMs: {} });
  });

  test('is asked last: where a cooldown refuses nothing is taken back', () => {
    const rule = cardRule({ mode: 'restart', cooldown: { forMs: HOUR, per: 'rule' }, while: [] });
    const { state } = play(rule, ['0m', '1m ada']);
    const poll = { complete: true, items: [stream('ada'), stream('grace')] };

    const one = advance({ rule, state: { ...state, delivering: new Map([['card/grace', 1]]) }, poll, slotMs: START_MS + 2 * MINUTE });

    expect(one.withdrawals).toEqual([]);
  });
});
