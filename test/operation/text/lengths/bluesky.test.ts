import { RichText } from '@atproto/api';
import { fc } from '../../../support/property.ts';
import { expect, test } from 'vitest';
import { TEXT_LIMITS } from '#src/operation/text/limit.ts';
import { shorten } from '#src/operation/text/shorten.ts';
import { splitText } from '#src/operation/text/split-text.ts';
import { socialText } from '../../../support/social-text.ts';

const { most, lengthOf } = TEXT_LIMITS.bluesky;
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** As the platform judges. */
function isTaken(text: string): boolean {
  const rich = new RichText({ text });
  return [...segmenter.segment(text)].length <= 300 && rich.graphemeLength <= 300 && rich.length <= 3000;
}

test.each([
  ['nothing', '', 0],
  ['letters', 'a'.repeat(300), 300],
  ['a family is one character, and 25 bytes', '👩‍👩‍👧‍👦', 3],
  ['a flag', '🇩🇪', 1],
  ['a letter with its accents is one character', 'e\u0301\u0302', 1],
  ['letters of other scripts count as letters do', '日本語', 3],
  ['a tower of accents is weighed by its bytes', `Z${'\u0351'.repeat(100)}`, 21],
])('the length of %s', (_, text, expected) => {
  expect(lengthOf(text)).toBe(expected);
});

test('a text is within our limit exactly where both limits of the platform hold', () => {
  fc.assert(
    fc.property(socialText({ maxWords: 120 }), (text) => {
      expect(lengthOf(text) <= most).toBe(isTaken(text));
    }),
  );
});

test('what is cut or split to fit is taken', () => {
  fc.assert(
    fc.property(socialText({ maxWords: 200 }), (text) => {
      expect(isTaken(shorten(text, most, lengthOf))).toBe(true);
      const split = splitText(text, TEXT_LIMITS.bluesky);
      expect('parts' in split ? split.parts.filter((part) => !isTaken(part)) : []).toEqual([]);
    }),
    { numRuns: 50 },
  );
});
