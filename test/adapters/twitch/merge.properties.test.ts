import { fc } from '../../support/property.ts';
import { expect, test } from 'vitest';
import { merge } from '#adapters/twitch/operations/merge.ts';

/** Lists of falling numbers, each in pages of any size, including empty pages. */
const lists = fc.dictionary(
  fc.constantFrom('de', 'en', 'fr', 'ja'),
  fc.tuple(fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 260 }), fc.integer({ min: 1, max: 100 }), fc.boolean()),
);

test('a walk of merged lists returns every item once, in order', async () => {
  await fc.assert(
    fc.asyncProperty(lists, async (input) => {
      const all = Object.fromEntries(
        Object.entries(input).map(([key, [numbers, size, gap]]) => [key, { numbers: numbers.toSorted((a, b) => b - a), size, gap }]),
      );
      const read = async (key: string, after = '0') => {
        const { numbers = [], size = 1, gap = false } = all[key] ?? {};
        const start = Number(after);
        // A list may have an empty page in front.
        if (gap && after === '0') return { items: [], cursor: '0.5' };
        const end = Math.min(numbers.length, Math.floor(start) + size);
        const items = numbers.slice(Math.floor(start), end).map((value, index) => ({ value, key, index: Math.floor(start) + index }));
        return { items, cursor: end < numbers.length ? String(end) : undefined };
      };
      const found: { value: number; key: string; index: number }[] = [];
      let scanned = 0;
      let cursor: string | undefined;

      do {
        const page = await merge({ keys: Object.keys(all), read, order: (a, b) => b.item.value - a.item.value, cursor });
        expect(page.items.length).toBeLessThanOrEqual(100);
        found.push(...page.items);
        scanned += page.scanned ?? 0;
        cursor = page.cursor;
      } while (cursor !== undefined);

      const numbers = Object.values(all).flatMap((list) => list.numbers);
      expect(found.map(({ value }) => value)).toEqual(numbers.toSorted((a, b) => b - a));
      expect(new Set(found.map(({ key, index }) => `${key} ${index}`)).size).toBe(numbers.length);
      expect(scanned).toBeGreaterThanOrEqual(numbers.length);
    }),
  );
});
