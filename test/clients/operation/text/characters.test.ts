import { fc } from '../../../support/property.ts';
import { expect, test } from 'vitest';
import { cutLabel, firstUnits } from '#src/clients/operation/text/characters.ts';

test.for([
  ['a text that fits', 'send', 4, 'send'],
  ['words', 'send it now', 6, 'send…'],
  ['a link, which is cut like other text', 'https://fanfare.example/a/b', 9, 'https://…'],
  ['a character of several units', 'ab👩‍👩‍👧‍👦cd', 8, 'ab…'],
  ['a character longer than the limit', '👩‍👩‍👧‍👦', 5, '…'],
] as const)('a label is cut between characters: %s', ([, text, max, label]) => {
  expect(cutLabel(text, max)).toBe(label);
});

test('a label is within its limit, and contains no half characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 1, max: 80 }), (text, max) => {
      const label = cutLabel(text, max);
      expect(label.length).toBeLessThanOrEqual(max);
      expect(label.isWellFormed()).toBe(true);
      expect(label === '').toBe(text === '');
    }),
  );
});

test('the first units of a text are as many as possible without half of a code point', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.nat(80), (text, most) => {
      const first = firstUnits(text, most);
      expect(text.startsWith(first) && first.length <= most && first.isWellFormed()).toBe(true);
      expect(Math.min(most, text.length) - first.length).toBeLessThanOrEqual(1);
    }),
  );
});
