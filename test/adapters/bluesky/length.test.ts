import { RichText } from '@atproto/api';
import { fc } from '../../support/property.ts';
import { expect, test } from 'vitest';
import { TEXT_LIMITS } from '../../support/text-limits.ts';
import { shorten } from '#src/clients/operation/text/shorten.ts';
import { splitText } from '#src/clients/operation/text/split-text.ts';
import { socialText } from '../../support/social-text.ts';

const { most, lengthOf } = TEXT_LIMITS.bluesky;
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Whether the platform accepts the text. */
function isAccepted(text: string): boolean {
  const rich = new RichText({ text });
  return [...segmenter.segment(text)].length <= 300 && rich.graphemeLength <= 300 && rich.length <= 3000;
}

test.each([
  ['nothing', '', 0],
  ['letters', 'a'.repeat(300), 300],
  ['an emoji of several code points, by its bytes', '👩‍👩‍👧‍👦', 3],
  ['a flag', '🇩🇪', 1],
  ['a letter with accents', 'e\u0301\u0302', 1],
  ['letters of other scripts', '日本語', 3],
  ['many accents on one letter count by their bytes', `Z${'\u0351'.repeat(100)}`, 21],
])('the length of %s', (_, text, expected) => {
  expect(lengthOf(text)).toBe(expected);
});

test('a text is within the limit of Fanfare if and only if it is within both limits of the platform', () => {
  fc.assert(
    fc.property(socialText({ maxWords: 120 }), (text) => {
      expect(lengthOf(text) <= most).toBe(isAccepted(text));
    }),
  );
});

test('shortened texts and parts of split texts are within the limits of the platform', () => {
  fc.assert(
    fc.property(socialText({ maxWords: 200 }), (text) => {
      expect(isAccepted(shorten(text, most, lengthOf))).toBe(true);
      const split = splitText(text, TEXT_LIMITS.bluesky);
      expect('parts' in split ? split.parts.filter((part) => !isAccepted(part)) : []).toEqual([]);
    }),
    { numRuns: 50 },
  );
});
