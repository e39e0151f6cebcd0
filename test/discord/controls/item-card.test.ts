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
