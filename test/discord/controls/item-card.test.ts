import { expect, test } from 'vitest';
import type { ItemExplanation } from '#src/admin/queries/explain-item.ts';
import { itemCard } from '#src/discord/controls/lists.ts';
import { de } from '#src/discord/language/de/index.ts';
import { en } from '#src/discord/language/en/index.ts';

test.each([
  [en, 'not announced: #7 of the list, and the rule counts the first 2 (`take`)'],
  [de, 'nicht gemeldet: Platz 7 der Liste, und die Regel zählt die ersten 2 (`take`)'],
])('/automation why shows that an item ranks below take', (texts, expected) => {
  const rule = {
    id: 'top',
    verb: 'streaming.getGameStreams',
    on: true,
    isPaused: false,
    isNamed: false,
    isOpen: false,
    episodes: [],
    decisions: [],
  };
  const found: ItemExplanation = {
    name: 'ada',
    keys: [],
    rules: [{ ...rule, belowTake: { atMs: 0, place: 7, take: 2 } }],
    gone: [],
    others: [],
  };

  const [embed] = itemCard(found, { texts, locale: 'en-GB' }).embeds ?? [];

  expect(embed?.description).toContain(expected);
  expect(embed?.description).not.toContain(texts.controls.reasons.noneAbout('ada'));
});

test('/automation why names ten of the rules without the item, those that are on first', () => {
  const watching = (index: number) => ({ id: `rule${index}`, verb: 'streaming.getTopStreams', on: index > 20, isPaused: false });
  const others = Array.from({ length: 24 }, (_, index) => watching(index));

  const [embed] = itemCard({ name: 'ada', keys: [], rules: [], gone: [], others }, { texts: en, locale: 'en-GB' }).embeds ?? [];

  const named = [...(embed?.description ?? '').matchAll(/\*\*(rule\d+)\*\*/gu)].map(([, id]) => id);
  expect(named).toEqual(['rule21', 'rule22', 'rule23', 'rule0', 'rule1', 'rule2', 'rule3', 'rule4', 'rule5', 'rule6']);
  expect(embed?.description?.endsWith('… and 14 more')).toBe(true);
});
