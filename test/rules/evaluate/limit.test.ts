import { describe, expect, test } from 'vitest';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { RuleState } from '#src/rules/episode.ts';
import type { Firing } from '#src/rules/firing.ts';
import type { Limit, Rule } from '#src/rules/rule.ts';
import { aStep, cardRule, HOUR, MINUTE, slotRule, START_MS, stream, type RuleOptions } from './fixture.ts';
import { firings, runPolls, withChange } from './run-polls.ts';

const goneAtOnce = { confirm: { new: 1, gone: 1 } };

function limited(then: Limit['then'], over: RuleOptions = {}): Rule {
  return cardRule({ while: [], finally: [], limit: { firings: 2, perMs: HOUR, then }, watched: goneAtOnce, ...over });
}

const STEPS = [aStep()];
const reached = (leftMinutes: number) => ({ kind: 'limitReached', limit: 2, perMs: HOUR, leftMs: leftMinutes * MINUTE }) as const;
const wakes = ({ advances }: ReturnType<typeof runPolls>) => advances.map(({ wakeMs }) => wakeMs && (wakeMs - START_MS) / MINUTE);

describe('drop', () => {
  test('a further firing is not sent, even later, and the rule is not paused', () => {
    const { lines, suppressions } = runPolls(limited('drop'), ['0m', '1m a', '5m a b', '6m a b c', '61m a b c d']);

    expect(lines).toEqual(['1m then entered a', '5m then entered b', '61m then entered d']);
    expect(suppressions).toEqual([['6m', 'c', reached(55)]]);
  });

  test('counts the firings of one poll, in their order', () => {
    expect(runPolls(limited('drop'), ['0m', '1m a b c']).lines).toEqual(['1m then entered a', '1m then entered b']);
  });

  test('after an edit to fewer firings, the last ones count', () => {
    const fewer = (rule: Rule): Rule => ({ ...rule, limit: { firings: 1, perMs: HOUR, then: 'drop' } });
    const { suppressions } = runPolls(limited('drop'), ['0m', '1m a', '5m a b', fewer, '6m a b c']);

    expect(suppressions).toEqual([['6m', 'c', { ...reached(59), limit: 1 }]]);
  });

  test('firings that another gate blocks do not count', () => {
    const rule = limited('drop', { cooldown: { forMs: HOUR, per: 'item' } });

    expect(firings(rule, ['0m', '1m a', '2m', '3m a/2', '4m a/2 b', '5m a/2 b c'])).toEqual(['1m then entered a', '4m then entered b']);
  });
});

describe('hold', () => {
  test('a further firing is evaluated again when a firing is allowed', () => {
    const run = runPolls(limited('hold'), [
      '0m',
      '1m a',
      '5m a b',
      '6m a b c d',
      '7m a b c d',
      '61m a b c d',
      '65m a b c d',
      '66m a b c d',
    ]);

    expect(run.lines).toEqual(['1m then entered a', '5m then entered b', '61m then entered c', '65m then entered d']);
    expect(wakes(run)).toEqual([undefined, undefined, undefined, 61, 61, 65, 121, 121]);
    expect(run.decisions.filter((line) => line.includes('deferred'))).toHaveLength(2);
  });

  test('an item that is gone by then is not announced', () => {
    const { lines, suppressions } = runPolls(limited('hold'), ['0m', '1m a b', '6m a b c', '7m a b', '61m a b']);

    expect(lines).toEqual(['1m then entered a', '1m then entered b']);
    expect(suppressions.at(-1)).toEqual(['7m', 'c', { kind: 'endedAtLimit' }]);
  });

  test('an item that was gone for a moment before then is announced', () => {
    const { lines } = runPolls(limited('hold'), ['0m', '1m a b', '6m a b c', '7m a b', '8m a b c', '61m a b c', '62m a b c']);

    expect(lines).toEqual(['1m then entered a', '1m then entered b', '61m then entered c']);
  });

  test('the item that waits longest is announced first, before new items and before items of a higher rank', () => {
    const limit = { firings: 1, perMs: 10 * MINUTE, then: 'hold' } as const;
    const { lines } = runPolls(limited('hold', { limit }), [
      '0m',
      '1m a',
      '2m c a',
      '3m b c a',
      '11m d b c a',
      '21m d b c a',
      '31m d b c a',
    ]);

    expect(lines).toEqual(['1m then entered a', '11m then entered c', '21m then entered b', '31m then entered d']);
  });

  test('with `per: poll`, the deferred changes of a firing are announced once', () => {
    const changes = [{ kind: 'entered' }, { kind: 'left' }] as const;
    const limit = { firings: 1, perMs: 10 * MINUTE, then: 'hold' } as const;
    const rule = limited('hold', { limit, readsList: true, watched: { ...goneAtOnce, per: 'poll', changes, kind: 'ranking' } });
    const { lines, state } = runPolls(rule, ['0m z', '1m z a', '3m a b', '11m a b c', '21m a b c', '31m a b c', '41m a b c d']);

    expect(lines).toEqual(['1m then entered a', '11m then entered b, entered c, left z', '41m then entered d']);
    expect(state.episodes.size).toBe(4);
  });

  test('waits for the end of quiet hours too', () => {
    const quiet = { fromMinute: 18 * 60 + 30, toMinute: 19 * 60 + 30, timezone: 'UTC', then: 'hold' } as const;
    const run = runPolls(limited('hold', { quiet }), ['0m', '1m a b', '6m a b c', '61m a b c', '90m a b c']);

    expect(run.lines).toEqual(['1m then entered a', '1m then entered b', '90m then entered c']);
    expect(wakes(run)).toEqual([undefined, undefined, 61, 90, undefined]);
  });

  test('the last slot of a rule that watches nothing runs later', () => {
    const rule = slotRule({ limit: { firings: 1, perMs: HOUR, then: 'hold' }, schedule: { everyMs: 20 * MINUTE } });
    const run = runPolls(rule, ['0m', '20m', '40m', '60m']);

    expect(run.advances.map((one) => one.firings.length)).toEqual([1, 0, 0, 1]);
    expect(wakes(run)).toEqual([undefined, 60, 60, 120]);
  });
});

describe('steps', () => {
  test('get all further firings when a firing is allowed, also of items that ended', () => {
    const run = runPolls(limited(STEPS), ['0m', '1m a b', '6m a b c', '7m a b c d', '8m a b d', '61m a b d', '62m a b d']);

    expect(run.lines).toEqual(['1m then entered a', '1m then entered b', '61m limit entered c over, entered d']);
    expect(wakes(run)).toEqual([undefined, undefined, 61, 61, 61, undefined, undefined]);
    expect(run.state.memory.limited).toBeUndefined();
  });

  test('a firing of the poll that allows it does not delay them', () => {
    expect(runPolls(limited(STEPS), ['0m', '1m a b', '6m a b c', '61m a b c e']).lines.slice(2)).toEqual([
      '61m then entered e',
      '61m limit entered c',
    ]);
  });

  test('their episodes have neither `while` nor `finally`', () => {
    const rule = { ...limited(STEPS), while: cardRule().while, finally: cardRule().finally };
    const { lines } = runPolls(rule, ['0m', '1m a b', '6m a b c', '61m a b c', '62m a b']);

    expect(lines.filter((line) => line.endsWith(' c'))).toEqual(['61m limit entered c']);
  });

  test.for([
    { edit: 'removes `limit`', limit: undefined, at: 7 },
    { edit: 'changes the steps to `hold`', limit: { firings: 2, perMs: HOUR, then: 'hold' }, at: 61 },
  ] as const)('an edit that $edit announces the collected firings, if they are still true', ({ limit, at }) => {
    const edit = (rule: Rule): Rule => ({ ...rule, limit });
    const { lines, state } = runPolls(limited(STEPS), ['0m', '1m a b', '6m a b c d', edit, '7m a b c', '61m a b c', '62m a b c']);

    expect(lines.slice(2)).toEqual([`${at}m then entered c`]);
    expect(state.memory.limited).toBeUndefined();
  });

  test('an edit that removes `limit` announces the last change that was collected', () => {
    const edit = (rule: Rule): Rule => ({ ...rule, limit: undefined });
    const { lines, state } = runPolls(limited(STEPS), ['0m', '1m a b', '6m a b c', edit, '7m a b c', '8m a b c']);

    expect(lines.slice(2)).toEqual(['7m then entered c']);
    expect(state.memory.limited).toBeUndefined();
  });

  test.for([
    { edit: 'removes `limit`', then: undefined },
    { edit: 'changes the steps to `hold`', then: 'hold' },
  ] as const)('after an edit that $edit, an item that ends within `grace` is not announced, and the reason is the limit', ({ then }) => {
    const edit = (rule: Rule): Rule => ({ ...rule, limit: then && { firings: 2, perMs: HOUR, then } });
    const rule = limited(STEPS, { watched: { ...goneAtOnce, graceMs: 10 * MINUTE } });
    const { lines, suppressions } = runPolls(rule, ['0m', '1m a b', '3m a b c', '4m a b', edit, '5m a b', '30m a b', '90m a b']);

    expect(lines).toEqual(['1m then entered a', '1m then entered b']);
    expect(suppressions.at(-1)).toEqual(['30m', 'c', { kind: 'endedAtLimit' }]);
  });

  test('an edit that removes `limit` announces other changes whose value still differs', () => {
    const rule = limited(STEPS, {
      limit: { firings: 1, perMs: HOUR, then: [aStep()] },
      watched: {
        ...goneAtOnce,
        kind: 'ranking',
        changes: [
          { kind: 'entered' },
          { kind: 'moved', direction: 'up' },
          { kind: 'changed', fields: ['title'] },
          { kind: 'rose', field: 'viewerCount', lines: [{ at: 200, rearm: 200 }] },
          { kind: 'rose', field: 'viewerCount', every: 1000 },
        ],
      },
    });
    const edit = (one: Rule): Rule => ({ ...one, limit: undefined });
    const { lines, advances } = runPolls(rule, [
      '0m ada:a grace:a linus:a mary=200 joan=2900 x y',
      '1m ada:a grace:a linus:a mary=200 joan=2900 x y new',
      '2m linus:a ada:b grace:b mary=250 joan=4100 y x new',
      edit,
      '3m linus:a ada:b grace:a mary=260 joan=4200 x y new',
      '4m linus:a ada:b grace:a mary=260 joan=4200 x y new',
    ]);

    // x fell, which the rule does not announce, so it rose since then; the rank of y is the announced one again.
    expect(lines).toEqual([
      '1m then entered new',
      '3m then moved linus',
      '3m then changed ada',
      '3m then rose mary',
      '3m then rose joan',
      '3m then moved x',
    ]);
    expect(advances[3]?.firings.map(({ scope }) => scope.change)).toMatchObject([
      { from: 3, to: 1 },
      { previous: { title: 'a' } },
      { threshold: 200, previous: { viewerCount: 200 } },
      { threshold: 4000, previous: { viewerCount: 2900 } },
      { from: 7, to: 6 },
    ]);
  });

  test.for([
    { asks: 'before a firing is allowed', minute: 7, expected: [['limit', undefined, 'c plays']] },
    { asks: 'when a firing is allowed', minute: 61, expected: [['then', 'c plays']] },
    { asks: 'after the steps announced it', minute: 63, polls: ['61m a b c'], expected: [['limit', undefined, 'c plays']] },
  ])('an item that a person asks to announce $asks is announced once', ({ minute, polls = [], expected }) => {
    const rule = limited(STEPS);
    const { state: waiting } = runPolls(rule, ['0m', '1m a b', '6m a b c']);
    const { state, advances: before } = runPolls(rule, polls, waiting);
    const poll = { items: ['a', 'b', 'c'].map((handle) => stream(handle)), complete: true };

    const asked = advance({ rule, state, poll, slotMs: START_MS + minute * MINUTE, requested: new Set(['c']) });

    const after = runPolls(rule, [`${minute + 1}m a b c`, '70m a b c'], asked.change && withChange(state, asked.change));
    const sent = [...before, asked, ...after.advances].flatMap(({ firings: some }) => some);
    const titlesIn = ({ scope: { held = [], item } }: Firing): readonly unknown[] =>
      [item, ...held.map((one) => one['item'])].map((one) => Object(one).title);
    expect(sent.map((one) => [one.section, ...titlesIn(one)])).toEqual(expected);
  });

  test.for([
    { blocked: 'quiet hours', gates: { quiet: { fromMinute: 18 * 60 + 7, toMinute: 19 * 60, timezone: 'UTC', then: STEPS } }, by: 'quiet' },
    {
      blocked: 'quiet hours that drop',
      gates: { quiet: { fromMinute: 18 * 60 + 7, toMinute: 19 * 60, timezone: 'UTC', then: 'drop' } },
      by: 'limit',
    },
    { blocked: 'a pause', gates: {}, paused: { by: 'grace', atMs: START_MS }, by: 'limit' },
    {
      blocked: 'a pause of a rule with `per: poll`',
      gates: { watched: { ...goneAtOnce, per: 'poll' }, limit: { firings: 1, perMs: HOUR, then: STEPS } },
      paused: { by: 'grace', atMs: START_MS },
      by: 'limit',
    },
  ] as const)('an item that waits, and that a person asks to announce in $blocked, is announced once', ({ gates, paused, by }) => {
    const rule = limited(STEPS, gates);
    const { state } = runPolls(rule, ['0m', '1m a b', '6m a b c']);
    const poll = { items: ['a', 'b', 'c'].map((handle) => stream(handle)), complete: true };
    const ask = (before: RuleState, minute: number) =>
      advance({ rule, state: before, poll, slotMs: START_MS + minute * MINUTE, requested: new Set(['c']) });
    const first = ask({ ...state, paused }, 7);

    const after = runPolls(rule, ['60m a b c', '70m a b c'], first.change && { ...withChange(state, first.change), paused: undefined });
    const second = ask(after.state, 71);

    expect([first, ...after.advances, second].flatMap(({ firings: some }) => some.map(({ section }) => section))).toEqual([by]);
  });

  test('at most 100 firings are collected; further ones are dropped', () => {
    const many = Array.from({ length: 110 }, (_, n) => `p${n}`);
    const rule = limited(STEPS, { fuse: { firings: 1000, perMs: HOUR } });
    const run = runPolls(rule, ['0m', `1m ${many.slice(0, 102).join(' ')}`, `2m ${many.join(' ')}`, `61m ${many.join(' ')}`]);

    expect(run.suppressions.filter(([at]) => at === '2m')).toHaveLength(8);
    expect(run.advances.at(-1)?.firings[0]?.scope.held).toHaveLength(100);
  });
});
