import { describe, expect, test } from 'vitest';
import type { Gather, Rule } from '#src/rules/rule.ts';
import { aStep, cardRule, DAY, HOUR, MINUTE, START_MS, type RuleOptions } from './fixture.ts';
import { runPolls } from './run-polls.ts';

const then = [aStep()];
const goneAtOnce = { confirm: { new: 1, gone: 1 } };
/** The polls begin on a Friday at six in the evening. */
const SUNDAY = { cron: '0 20 * * SUN', timezone: 'Europe/Paris' };
const SUNDAY_MS = 2 * DAY + HOUR;

function gathering(gather: Partial<Gather>, over: RuleOptions = {}): Rule {
  return cardRule({ then: [], while: [], finally: [], gather: { count: 100, then, ...gather }, watched: goneAtOnce, ...over });
}

const wakes = ({ advances }: ReturnType<typeof runPolls>) => advances.map(({ wakeMs }) => wakeMs && wakeMs - START_MS);

describe('count', () => {
  test('runs the steps once with all items', () => {
    const { advances, decisions, state } = runPolls(gathering({ count: 3 }), ['0m', '1m a', '2m a b', '3m b c', '4m b c d']);
    const gathered = advances.flatMap(({ firings }) => firings).filter(({ section }) => section === 'gather');

    expect(gathered.map(({ atMs, scope }) => [atMs - START_MS, scope.held?.map((one) => one['open'])])).toEqual([
      [3 * MINUTE, [false, true, true]],
    ]);
    expect(state.memory.gathered).toHaveLength(1);
    expect(decisions.at(-1)).toContain('1 gathered');
  });

  test('a poll with more items than `count` runs the steps once with all of them', () => {
    expect(runPolls(gathering({ count: 2 }), ['0m', '1m a b c d e']).lines.filter((line) => line.includes('gather'))).toEqual([
      '1m gather entered a, entered b, entered c, entered d, entered e',
    ]);
  });

  test('`then` of the rule still runs for each item', () => {
    const rule = { ...gathering({ count: 2 }), then };

    expect(runPolls(rule, ['0m', '1m a', '2m a b']).lines).toEqual([
      '1m then entered a',
      '2m then entered b',
      '2m gather entered a, entered b',
    ]);
  });

  test('a firing that only gathers does not count for the fuse; a run of the steps does', () => {
    const rule = gathering({ count: 3 }, { fuse: { firings: 1, perMs: DAY } });
    const { state, lines } = runPolls(rule, ['0m', '1m a', '2m a b', '3m a b c', '4m a b c d', '5m a b c d e', '6m a b c d e f']);

    expect(lines.filter((line) => line.includes('gather'))).toEqual(['3m gather entered a, entered b, entered c']);
    expect(state.memory.blownMs).toBeDefined();
    // The items that the fuse kept back are not lost.
    expect(state.memory.gathered).toHaveLength(3);
  });
});

describe('cron', () => {
  test('wakes the rule, and runs the steps with the items so far', () => {
    const run = runPolls(gathering({ schedule: SUNDAY }), ['0m', '1m a', '2m a b', '49h a b', '50h a b c']);

    expect(run.lines.filter((line) => line.includes('gather'))).toEqual(['49h gather entered a, entered b']);
    expect(wakes(run)).toEqual([undefined, SUNDAY_MS, SUNDAY_MS, undefined, SUNDAY_MS + 7 * DAY]);
  });

  test('runs nothing without items', () => {
    const run = runPolls(gathering({ schedule: SUNDAY }), ['0m', '1m', '49h', '50h']);

    expect(run.lines).toEqual([]);
    expect(wakes(run)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('a time that passed while Fanfare was down runs with the first poll', () => {
    expect(runPolls(gathering({ schedule: SUNDAY }), ['0m', '1m a', '60h a']).lines.at(-1)).toBe('60h gather entered a');
  });

  test('a failed poll at the time is repeated', () => {
    const run = runPolls(gathering({ schedule: SUNDAY }), ['0m', '1m a', '49h !', '50h a']);

    expect(wakes(run)[2]).toBe(SUNDAY_MS + 5 * MINUTE);
    expect(run.lines.at(-1)).toBe('50h gather entered a');
  });

  test('waits for the end of quiet hours', () => {
    const quiet = { fromMinute: 18 * 60 + 30, toMinute: 19 * 60 + 30, timezone: 'UTC', then: 'hold' } as const;
    const run = runPolls(gathering({ schedule: SUNDAY }, { quiet }), ['0m', '1m a', '49h a', '2970m a']);

    expect(run.lines.filter((line) => line.includes('gather'))).toEqual(['2970m gather entered a']);
  });
});

test('an edit keeps the items: of the count, of the time, of the list, and without `gather`', () => {
  const run = runPolls(gathering({ count: 3 }), [
    '0m',
    '1m a',
    (rule) => ({ ...rule, gather: undefined }),
    '2m a b',
    (rule) => ({ ...rule, ...gathering({ schedule: SUNDAY }, { watched: { ...goneAtOnce, fingerprint: 'another list' } }) }),
    '3m a c',
    '49h a c',
  ]);

  expect(run.lines.filter((line) => line.includes('gather'))).toEqual(['49h gather entered a, entered c']);
});

test('while the rule is paused, nothing is lost', () => {
  const rule = gathering({ schedule: SUNDAY });
  const { state } = runPolls(rule, ['0m', '1m a']);
  const paused = runPolls(rule, ['49h a'], { ...state, paused: { by: 'ada', atMs: START_MS } });

  expect(paused.lines).toEqual([]);
  expect(runPolls(rule, ['72h a'], { ...paused.state, paused: undefined }).lines).toEqual(['72h gather entered a']);
});

test('a pause at the time is the reason of one decision, even if it lasts for many polls or begins in quiet hours', () => {
  const quiet = { fromMinute: 18 * 60 + 30, toMinute: 19 * 60 + 30, timezone: 'UTC', then: 'hold' } as const;
  const rule = gathering({ schedule: SUNDAY }, { quiet });
  const paused = { by: 'ada', atMs: START_MS + DAY };
  let { state } = runPolls(rule, ['0m', '1m a']);
  const runs = ['48h a', '49h a', '2970m a', '51h a', '72h a'].map((line) => {
    const one = runPolls(rule, [line], { ...state, paused });
    ({ state } = one);
    return one;
  });

  expect(runs.flatMap(({ lines }) => lines)).toEqual([]);
  expect(runs.flatMap(({ suppressions }) => suppressions)).toEqual([
    ['2970m', undefined, { kind: 'paused', by: 'ada', agoMs: 2970 * MINUTE - DAY }],
  ]);
  expect(
    runs.flatMap(({ advances }) => advances.flatMap(({ decisions }) => decisions)).filter(({ outcome }) => outcome === 'deferred'),
  ).toMatchObject([{ reason: { kind: 'gathered', changes: 1, by: 'time', block: { kind: 'deferred' } } }]);
  expect(runs.slice(2).flatMap(wakes)).toEqual([undefined, undefined, undefined]);
});
