import { expect, test } from 'vitest';
import { describeEdit } from '#src/engine/rule-sets/describe-edit.ts';

const rule = (over: string): string => `id: live\n${over}`;

test.for([
  { before: 'when: { every: 1m, take: 5 }', after: 'when: { every: 1m, take: 3 }', text: 'when.take 5 → 3' },
  { before: 'cooldown: 6h', after: 'cooldown: 1h30m', text: 'cooldown 6h → 1h30m' },
  { before: 'about: a', after: 'about: a\ncooldown: 6h', text: 'cooldown 6h (new)' },
  { before: 'about: a\ncooldown: 6h', after: 'about: a', text: 'cooldown (gone)' },
  { before: 'about: a', after: 'about: a # and why', text: 'no change in behavior' },
  {
    before: 'then: [{ do: x, with: { text: "${{ item.id }}" } }]',
    after: 'then: [{ do: x, with: { text: new } }]',
    text: 'text of then[0]',
  },
  { before: 'then: [{ do: x, with: { text: a } }]', after: 'then: [{ do: x, with: { text: b } }]', text: 'text of then[0] a → b' },
  { before: 'then: [{ do: x }]', after: 'then: [{ do: x }, { do: y }]', text: 'then[1] {"do":"y"} (new)' },
  { before: 'each: { game: [Chess, Go] }', after: 'each: { game: [Go, "2048"] }', text: 'each.game.Chess (gone), each.game.2048 (new)' },
  {
    before: 'each: { on: [{ id: go, channel: a }, { id: chess, channel: b }] }',
    after: 'each: { on: [{ id: chess, channel: c }, { id: go, channel: a }] }',
    text: 'each.on.chess.channel b → c',
  },
])('an edit is described as $text', ({ before, after, text }) => {
  expect(describeEdit(rule(before), rule(after))).toBe(text);
});

test('the first of many differences are described, with the number of the rest', () => {
  const vars = (value: number): string => rule(`vars: { ${Array.from({ length: 9 }, (_, n) => `v${n}: ${value}`).join(', ')} }`);

  expect(describeEdit(vars(1), vars(2))).toMatch(/^vars\.v0 1 → 2, .*vars\.v5 1 → 2, 3 more$/);
});
