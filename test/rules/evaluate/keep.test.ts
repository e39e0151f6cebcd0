import { expect, test } from 'vitest';
import { NEW_STATE, type RuleState } from '#src/rules/episode.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { Advance } from '#src/rules/evaluate/effects/effects.ts';
import type { Rule } from '#src/rules/rule.ts';
import { check } from '../../support/rule-language.ts';
import { cardRule, START_MS, MINUTE } from './fixture.ts';
import { runPolls } from './run-polls.ts';

function ruleOf(source: string): Rule {
  const { rules, diagnostics } = check(
    `id: r\nwhen: { every: 1m }\n${source}\nthen: [{ do: discord.send, with: { channel: live, content: hi } }]\n`,
  );
  const [rule] = rules;
  if (!rule) throw new Error(JSON.stringify(diagnostics));
  return rule;
}

function stateAfter(rule: Rule, { slots, kept }: { readonly slots: number; readonly kept?: RuleState['memory']['kept'] }) {
  let state: RuleState = { ...NEW_STATE, memory: { ...NEW_STATE.memory, ...(kept && { kept }) } };
  const advanced: Advance[] = [];
  for (let slot = 0; slot < slots; slot++) {
    const next = advance({ rule, state, slotMs: START_MS + slot * MINUTE });
    advanced.push(next);
    if (next.change) state = { ...state, memory: next.change.memory };
  }
  return { memory: state.memory, advanced };
}

const kept = ({ memory }: ReturnType<typeof stateAfter>) => memory.kept;

test('a firing computes all values from those before it, and its steps read those after it', () => {
  const rule = ruleOf('keep: { n: keep.n + 1, last: { start: 7, next: keep.n } }');

  const run = stateAfter(rule, { slots: 3 });

  expect(kept(run)).toEqual({ n: 3, last: 2 });
  expect(run.advanced.map(({ firings }) => firings[0]?.scope.keep)).toEqual([
    { n: 1, last: 0 },
    { n: 2, last: 1 },
    { n: 3, last: 2 },
  ]);
});

test('each firing of a poll reads the values after the firing before it', () => {
  const { keep } = ruleOf('keep: { n: keep.n + 1 }');

  const { state } = runPolls(cardRule({ keep, while: [], watched: { confirm: { new: 1, gone: 1 } } }), ['0m', '1m ada grace']);

  expect(state.memory.kept).toEqual({ n: 2 });
});

test('the condition reads the values before the firing, and a suppressed firing changes none', () => {
  const run = stateAfter(ruleOf('if: keep.n < 2\nkeep: { n: keep.n + 1 }'), { slots: 4 });

  expect(kept(run)).toEqual({ n: 2 });
  expect(run.advanced.map(({ firings }) => firings.length)).toEqual([1, 1, 0, 0]);
});

test('polls without a firing store nothing, so an edited start value is read', () => {
  const [before, after] = [3, 12].map((start) => ruleOf(`if: keep.n == 12\nkeep: { n: { start: ${start}, next: keep.n } }`));
  if (!before || !after) throw new Error('no rule');

  const { memory } = stateAfter(before, { slots: 2 });

  expect(memory.kept).toBeUndefined();
  expect(kept(stateAfter(after, { slots: 1, kept: memory.kept }))).toEqual({ n: 12 });
  expect(kept(stateAfter(before, { slots: 1, kept: { n: 'old' } }))).toEqual({ n: 'old' });
});

test('a value that cannot be computed suppresses the firing with its reason', () => {
  const run = stateAfter(ruleOf('keep: { m: keep.m + 1, n: 10 / (2 - keep.m) }'), { slots: 3 });

  expect(kept(run)).toEqual({ m: 2, n: 10 });
  expect(run.advanced[2]?.decisions[0]?.reason).toMatchObject({ kind: 'scheduledRun', block: { by: { kind: 'keepFailed', name: 'n' } } });
});

test('a text that grows too long suppresses the firing', () => {
  const run = stateAfter(ruleOf('keep: { t: { start: x, next: keep.t + keep.t } }'), { slots: 20 });

  expect(kept(run)).toEqual({ t: 'x'.repeat(1024) });
  expect(run.advanced[19]?.decisions[0]?.reason).toMatchObject({ block: { by: { error: 'the value is longer than 2000 characters' } } });
});

test('a stored value of another type than the start value is replaced, and values that the file lacks stay', () => {
  expect(kept(stateAfter(ruleOf('keep: { n: keep.n + 1 }'), { slots: 1, kept: { n: 'old', gone: 5 } }))).toEqual({ n: 1, gone: 5 });
});

test('sums have no binary noise', () => {
  expect(kept(stateAfter(ruleOf('keep: { sum: { start: 0.1, next: keep.sum + 0.2 } }'), { slots: 1 }))).toEqual({ sum: 0.3 });
});
