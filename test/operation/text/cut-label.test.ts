import { fc } from '../../support/property.ts';
import { expect, test } from 'vitest';
import { cutLabel } from '#src/operation/text/characters.ts';

test.for([
  ['what fits', 'send', 4, 'send'],
  ['words', 'send it now', 6, 'send…'],
  ['a link, which is none here', 'https://fanfare.example/a/b', 9, 'https://…'],
  ['a character of several units', 'ab👩‍👩‍👧‍👦cd', 8, 'ab…'],
  ['a character longer than all room', '👩‍👩‍👧‍👦', 5, '…'],
] as const)('a label is cut between characters: %s', ([, text, max, label]) => {
  expect(cutLabel(text, max)).toBe(label);
});

test('a label is never too long, and never half a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 1, max: 80 }), (text, max) => {
      const label = cutLabel(text, max);
      expect(label.length).toBeLessThanOrEqual(max);
      expect(label.isWellFormed()).toBe(true);
      expect(label === '').toBe(text === '');
    }),
  );
});
