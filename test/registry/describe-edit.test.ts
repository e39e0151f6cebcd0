import { expect, test } from 'vitest';
import { describeEdit } from '#src/registry/describe-edit.ts';

const rule = (over: string): string => `id: live\n${over}`;

test.for([
  { before: 'when: { every: 1m, take: 5 }', after: 'when: { every: 1m, take: 3 }', says: 'when.take 5 → 3' },
  { before: 'cooldown: 6h', after: 'cooldown: 1h30m', says: 'cooldown 6h → 1h30m' },
  { before: 'about: a', after: 'about: a\ncooldown: 6h', says: 'cooldown 6h (new)' },
  { before: 'about: a\ncooldown: 6h', after: 'about: a', says: 'cooldown (gone)' },
  { before: 'about: a', after: 'about: a # and why', says: 'nothing that it does' },
  {
    before: 'then: [{ do: x, with: { text: "${{ item.id }}" } }]',
    after: 'then: [{ do: x, with: { text: new } }]',
    says: 'text of then[0]',
  },
  { before: 'then: [{ do: x, with: { text: a } }]', after: 'then: [{ do: x, with: { text: b } }]', says: 'text of then[0] a → b' },
  { before: 'then: [{ do: x }]', after: 'then: [{ do: x }, { do: y }]', says: 'then[1] {"do":"y"} (new)' },
  { before: 'each: { game: [Chess, Go] }', after: 'each: { game: [Go, "2048"] }', says: 'each.game.Chess (gone), each.game.2048 (new)' },
  {
    before: 'each: { on: [{ id: go, channel: a }, { id: chess, channel: b }] }',
    after: 'each: { on: [{ id: chess, channel: c }, { id: go, channel: a }] }',
    says: 'each.on.chess.channel b → c',
  },
])('an edit is told as $says', ({ before, after, says }) => {
  expect(describeEdit(rule(before), rule(after))).toBe(says);
});

test('of many differences the first are told, and how many more there are', () => {
  const vars = (value: number): string => rule(`vars: { ${Array.from({ length: 9 }, (_, n) => `v${n}: ${value}`).join(', ')} }`);

  expect(describeEdit(vars(1), vars(2))).toMatch(/^vars\.v0 1 → 2, .*vars\.v5 1 → 2, 3 more$/);
});
