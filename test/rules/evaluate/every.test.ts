import { describe, expect, test } from 'vitest';
import type { RuleState } from '#src/rules/episode.ts';
import type { Firing } from '#src/rules/firing.ts';
import { lastMultiple, missedMultiples } from '#src/rules/repeats.ts';
import { aStep, cardRule, HOUR, MINUTE, START_MS, type RuleOptions } from './fixture.ts';
import { runPolls } from './run-polls.ts';

const REMINDER = aStep({ id: 'reminder', creates: true, everyMs: 4 * HOUR });

function longRule(options: RuleOptions = {}) {
  return cardRule({
    while: [REMINDER],
    finally: [],
    ...options,
    watched: { first: 'fire', confirm: { new: 1, gone: 1 }, ...options.watched },
  });
}

/** When `while` fired, and with which steps. */
function runs(advances: readonly { readonly firings: readonly Firing[] }[]) {
  const its = advances.flatMap(({ firings }) => firings).filter(({ section }) => section === 'while');
  return its.map(({ atMs, steps }) => [(atMs - START_MS) / MINUTE, steps.map(({ index }) => index)]);
}

describe('a step of while with every', () => {
  test('runs at the first poll at or after each multiple since the start of the episode, and once for each', () => {
    const polls = ['0m ada', '239m ada', '240m ada', '241m ada', '479m ada', '481m ada', '482m ada', '720m ada'];

    const { advances, decisions } = runPolls(longRule(), polls);

    expect(runs(advances)).toEqual([240, 481, 720].map((minute) => [minute, [0]]));
    expect(decisions.filter((line) => line.includes('every'))).toEqual([
      '240m fired ada: ada has lasted for 4h, a multiple of every: 4h',
      '481m fired ada: ada has lasted for 8h, a multiple of every: 4h',
      '720m fired ada: ada has lasted for 12h, a multiple of every: 4h',
    ]);
  });

  test('counts from the start of the stream, not from its announcement, and makes up nothing from before it', () => {
    const { advances } = runPolls(longRule(), ['0m ada@-9h', '1m ada@-9h', '179m ada@-9h', '180m ada@-9h', '420m ada@-9h']);

    expect(runs(advances)).toEqual([180, 420].map((minute) => [minute, [0]]));
  });

  test('runs once after a time in which several multiples passed', () => {
    const { advances, decisions } = runPolls(longRule(), ['0m ada', '1m ada', '790m ada', '791m ada', '960m ada']);

    expect(runs(advances)).toEqual([790, 960].map((minute) => [minute, [0]]));
    expect(decisions.filter((line) => line.startsWith('790m'))).toEqual([
      '790m fired ada: ada has lasted for 12h, a multiple of every: 4h; 2 earlier multiples without a poll',
    ]);
  });

  test('does not run while the item is missing or the poll fails, and runs at the next poll with the item', () => {
    const rule = longRule({ watched: { graceMs: HOUR } });
    const { advances } = runPolls(rule, ['0m ada', '239m ada', '240m', '241m !', '250m ada', '251m ada']);

    expect(runs(advances)).toEqual([[250, [0]]]);
  });

  test('leaves the steps without every as they are', () => {
    const rule = longRule({ while: [aStep({ do: 'discord.edit' }), REMINDER] });
    const { advances } = runPolls(rule, ['0m ada', '1m ada', '240m ada', '241m ada']);
    const keys = advances.flatMap(({ firings }) => firings).flatMap(({ section, steps }) => (section === 'while' ? steps : []));

    expect(runs(advances)).toEqual([
      [1, [0]],
      [240, [0, 1]],
      [241, [0]],
    ]);
    expect(new Set(keys.map(({ key }) => key)).size).toBe(4);
    expect(advances[3]?.withdrawals).toMatchObject([{ section: 'while', except: ['reminder'] }]);
    expect(advances[2]?.withdrawals[0]).not.toHaveProperty('except');
  });

  test('has a key that depends on the multiple and not on the poll', () => {
    const keyOf = (polls: readonly string[]) => {
      const its = runPolls(longRule(), polls).advances.flatMap(({ firings }) => firings);
      return its.filter(({ section }) => section === 'while').flatMap(({ steps }) => steps.map(({ key }) => key));
    };

    expect(keyOf(['0m ada', '240m ada'])).toEqual(keyOf(['0m ada', '247m ada']));
    expect(keyOf(['0m ada', '240m ada'])).not.toEqual(keyOf(['0m ada', '480m ada']));
  });

  test('with several intervals, each one has its own multiples and decisions', () => {
    const steps = [
      aStep({ creates: true, everyMs: HOUR }),
      aStep({ creates: true, everyMs: 2 * HOUR }),
      aStep({ creates: true, everyMs: HOUR }),
    ];
    const { advances, decisions } = runPolls(longRule({ while: steps }), ['0m ada', '60m ada', '120m ada']);

    expect(runs(advances)).toEqual([
      [60, [0, 2]],
      [120, [0, 1, 2]],
    ]);
    expect(decisions.filter((line) => line.startsWith('120m'))).toHaveLength(2);
  });

  test('an edit of every counts from the last poll on', () => {
    const edited = (rule: ReturnType<typeof cardRule>) => ({ ...rule, while: [{ ...REMINDER, everyMs: HOUR }] });
    const { advances } = runPolls(longRule(), ['0m ada', '239m ada', '240m ada', '290m ada', edited, '291m ada', '300m ada']);

    expect(runs(advances)).toEqual([240, 300].map((minute) => [minute, [0]]));
  });

  test('runs at the first poll of a stream that returns after its end', () => {
    const { advances } = runPolls(longRule(), ['0m ada', '1m ada', '200m', '250m ada', '251m ada']);

    expect(runs(advances)).toEqual([[250, [0]]]);
  });
});

describe('a step with every that creates something is blocked', () => {
  const edit = aStep({ do: 'discord.edit', everyMs: 4 * HOUR });
  const quiet = { fromMinute: 22 * 60, toMinute: 8 * 60, timezone: 'UTC', then: 'hold' } as const;
  const person = { by: 'Grace', atMs: START_MS + MINUTE };

  test.each<[what: string, kind: string, options: RuleOptions, (state: RuleState) => Partial<RuleState>]>([
    ['a pause', 'paused', {}, () => ({ paused: person })],
    ['a mute', 'muted', {}, ({ episodes }) => ({ muted: new Map([...episodes.keys()].map((id) => [id, person])) })],
    ['a blown fuse', 'fuseBlown', {}, ({ memory }) => ({ memory: { ...memory, blownMs: START_MS } })],
    ['quiet hours', 'quietHours', { quiet }, () => ({})],
  ])('by %s; edits run, and it is not made up for', (_, kind, options, blocked) => {
    const rule = longRule({ while: [REMINDER, edit], ...options });
    const { state } = runPolls(rule, ['0m ada', '1m ada']);

    const { advances, suppressions, state: after } = runPolls(rule, ['240m ada'], { ...state, ...blocked(state) });

    expect(runs(advances)).toEqual([[240, [1]]]);
    expect(suppressions).toMatchObject([['240m', 'ada', { kind }]]);
    expect(runs(runPolls(longRule({ while: [REMINDER, edit] }), ['241m ada'], { ...after, memory: state.memory }).advances)).toEqual([]);
  });
});

test.each([
  [{ fromMs: 0, toMs: 3 }, undefined, 0],
  [{ fromMs: 0, toMs: 4 }, 4, 0],
  [{ fromMs: 4, toMs: 7 }, undefined, 0],
  [{ fromMs: 4, toMs: 8 }, 8, 0],
  [{ fromMs: 3, toMs: 13 }, 12, 2],
  [{ fromMs: -9, toMs: 4 }, 4, 0],
  [{ fromMs: -9, toMs: 0 }, undefined, 0],
  // The clock was set back.
  [{ fromMs: 9, toMs: 8 }, undefined, 0],
])('the multiples of 4 in %j: the last one is %s, after %i others', (span, last, missed) => {
  expect(lastMultiple(4, span)).toBe(last);
  expect(last === undefined ? 0 : missedMultiples(4, span)).toBe(missed);
});
