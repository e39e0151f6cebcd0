import { describe, expect, test } from 'vitest';
import { needsWholeList } from '#src/rules/evaluate/advance-list.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import { NEW_STATE, type RuleState } from '#src/rules/episode.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Rule, Watched } from '#src/rules/rule.ts';
import { cardRule, otherQuery, START_MS, stream } from './fixture.ts';
import { storedAndLoaded, withChange } from './run-polls.ts';

const announcer = (watched: Partial<Watched> = {}): Rule =>
  cardRule({
    while: [],
    finally: [],
    watched: { changes: [{ kind: 'entered' }, { kind: 'left' }], with: { users: ['ada', 'grace'] }, ...watched },
  });

/** `60 ada` is a slot that reads ada; `70! ada` is the poll of a hint, and `70! ada? grace` one that asks for ada only. */
function run(rule: Rule, lines: readonly string[]) {
  let state: RuleState = NEW_STATE;
  const announced: string[] = [];
  const unchanged: string[] = [];
  for (const line of lines) {
    const [at = '', ...words] = line.split(' ');
    const seconds = Number(at.replace('!', ''));
    const asked = words.filter((word) => word.endsWith('?')).map((word) => word.slice(0, -1));
    const items = words.filter((word) => !word.endsWith('?')).map((name) => stream(name));
    const poll: Poll = { items, complete: true, ...(asked.length > 0 && { asked: { twitch: asked } }) };
    const made = advance({ rule, state, poll, slotMs: START_MS + seconds * 1_000, isHinted: at.endsWith('!') });
    for (const { scope, queue } of made.firings)
      announced.push(`${seconds} ${JSON.stringify(scope.change?.['kind']).slice(1, -1)} ${queue.split('/')[1]}`);
    unchanged.push(...made.decisions.flatMap(({ outcome, message }) => (outcome === 'unchanged' ? `${seconds} ${message}` : [])));
    if (made.change) state = storedAndLoaded(withChange(state, made.change));
  }
  return { announced, unchanged, state };
}

describe('polls of hints', () => {
  test.for<[string, Partial<Watched>, readonly string[], readonly string[]]>([
    ['two hints within a moment do not confirm a new item', { confirm: { new: 2, gone: 1 } }, ['0', '70! ada', '71! ada'], []],
    ['a hint after half of the time does', { confirm: { new: 2, gone: 1 } }, ['0', '70! ada', '100! ada'], ['100 entered ada']],
    ['the next slot always does', { confirm: { new: 2, gone: 1 } }, ['0', '118! ada', '119! ada', '120 ada'], ['120 entered ada']],
    ['a hint a moment after a slot does not', { confirm: { new: 2, gone: 1 } }, ['0', '60 ada', '61! ada'], []],
    ['two hints within a moment do not confirm an end', { confirm: { new: 1, gone: 2 } }, ['0 ada', '70!', '71!'], []],
    ['the third hint counts from the last one that counted', { confirm: { new: 1, gone: 3 } }, ['0 ada', '10!', '40!', '59!'], []],
    ['the slot counts after hints', { confirm: { new: 1, gone: 2 } }, ['0 ada', '70!', '71!', '120'], ['120 left ada']],
    ['the grace time may end at a hint', { confirm: { new: 1, gone: 1 }, graceMs: 5_000 }, ['0 ada', '60', '66!'], ['66 left ada']],
  ])('%s', ([, watched, lines, expected]) => {
    expect(run(announcer(watched), lines).announced).toEqual(expected);
  });

  test('names that a poll did not ask for are neither gone nor new', () => {
    const { announced, state } = run(announcer({ confirm: { new: 1, gone: 1 } }), [
      '0 ada',
      '60 ada',
      '70! grace? grace',
      '71! grace?',
      '120 ada',
    ]);
    expect(announced).toEqual(['70 entered grace', '71 left grace']);
    expect([...state.episodes.values()].map(({ key, phase, misses, polls }) => [key, phase, misses, polls])).toContainEqual([
      'ada',
      'open',
      0,
      3,
    ]);
  });
});

test('the decision of a poll that asked for some names does not count the other ones', () => {
  const { unchanged } = run(announcer({ graceMs: 60_000 }), ['0 ada', '60 ada', '70! grace?', '71! ada? ada']);
  expect(unchanged).toEqual([
    '60 1 live',
    '70 only the channels of a notification were read: 0 live',
    '71 only the channels of a notification were read: 1 live',
  ]);
});

test('the list is polled whole before its first poll, after an edit, and when deferred changes are due', () => {
  const rule = announcer();
  const { state } = run(rule, ['0 ada']);
  const at = (one: Rule, some: RuleState, seconds: number): boolean =>
    needsWholeList({ rule: one, state: some, slotMs: START_MS + seconds * 1_000 });
  expect(at(rule, NEW_STATE, 0)).toBe(true);
  expect(at(rule, state, 1)).toBe(false);
  expect(at(otherQuery(rule), state, 1)).toBe(true);
  const deferring = { ...state, memory: { ...state.memory, quietEndMs: START_MS + 10_000 } };
  expect([9, 10].map((seconds) => at(rule, deferring, seconds))).toEqual([false, true]);
});
