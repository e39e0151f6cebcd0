import { fc, webUrl } from '../../../support/property.ts';
import { describe, expect, test } from 'vitest';
import { TEXT_LIMIT as X_LIMIT } from '#adapters/x/text/limit.ts';
import { countGraphemes } from '#src/clients/operation/text/characters.ts';
import type { TextLimit } from '#src/clients/operation/text/limit.ts';
import { runsOf } from '#src/clients/operation/text/links.ts';
import { splitText } from '#src/clients/operation/text/split-text.ts';

const units = (most: number): TextLimit => ({ most, lengthOf: (text) => text.length });

/** Counts as some platforms do: 23 for each link, and one for every other character. */
const weighing = (most: number): TextLimit => ({
  most,
  lengthOf: (text) => runsOf(text).reduce((sum, run) => sum + (run.link ? 23 : countGraphemes(run.text)), 0),
});
const bytes = (most: number): TextLimit => ({ most, lengthOf: (text) => Buffer.byteLength(text) });

/** The parts of a text that can be split within the limit. */
function partsOf(text: string, limit: TextLimit): readonly string[] {
  const split = splitText(text, limit);
  fc.pre('parts' in split);
  return 'parts' in split ? split.parts : [];
}

describe('a text in parts', () => {
  test.each([
    ['a text that fits is one part', 'Ada is live.', 20, ['Ada is live.']],
    ['a text is split at the end of a sentence', 'Ada is live. Grace is live, too.', 20, ['Ada is live.', 'Grace is live, too.']],
    ['a text is split at the end of a line', 'first clip\nsecond clip\nthird clip', 25, ['first clip\nsecond clip', 'third clip']],
    ['a short sentence does not stand alone', 'Hi. Ada is playing chess now', 20, ['Hi. Ada is playing', 'chess now']],
    ['a sentence that is too long is split between words', 'one two three four five', 11, ['one two', 'three four', 'five']],
    ['a word that is too long is cut', 'aaaaaaaaaa bb', 4, ['aaaa', 'aaaa', 'aa', 'bb']],
    ['a link stays whole', 'see https://a.test/1234567890 now', 25, ['see', 'https://a.test/1234567890', 'now']],
    ['a link in a long word stays whole', 'aaaahttps://a.test/1bbb', 19, ['aaaa', 'https://a.test/1bbb']],
    ['a mention stays whole', 'hello (@grace@example.test) there', 19, ['hello', '(', '@grace@example.test', ') there']],
    ['an escape stays whole', 'aaa\\*bbb', 4, ['aaa', '\\*bb', 'b']],
    ['a character of several code points stays whole', 'ab👩‍👩‍👧cd', 9, ['ab', '👩‍👩‍👧c', 'd']],
    ['a tag stays whole', 'watch them #speedrun now', 15, ['watch them', '#speedrun now']],
    ['a mail address stays whole', 'mail (grace@example.test)', 20, ['mail', '(grace@example.test)']],
    ['a host stays whole', 'look:example.com/live/now', 21, ['look:', 'example.com/live/now']],
    ['a tag that is longer than the limit is cut', `#${'a'.repeat(12)}`, 5, ['#aaaa', 'aaaaa', 'aaa']],
    ['an accent stays on its base character', 'aaa \u0301 b', 5, ['aaa \u0301', 'b']],
    ['a blank text has no parts', ' \n ', 10, []],
    ['a part without a visible character is left out', 'aaaa \u200B bbbb \u2060', 4, ['aaaa', 'bbbb']],
    ['a text without a visible character is not left out', '\u200B\u200B\u200B', 2, ['\u200B\u200B', '\u200B']],
  ])('%s', (_, text, most, expected) => {
    expect(partsOf(text, units(most))).toEqual(expected);
  });
});

test.each([
  ['a link', 'see https://a.test/1234567890 now', 'https://a.test/1234567890'],
  ['a character', `see ${'e' + '\u0301'.repeat(20)} now`, 'e' + '\u0301'.repeat(20)],
])('%s that is longer than the limit is reported, and the text is not split', (_, value, tooLong) => {
  expect(splitText(value, units(10))).toEqual({ tooLong });
});

/** A limit, and the number of UTF-16 units that it has counted. */
function counting({ most, lengthOf }: TextLimit) {
  const counted = { units: 0 };
  const limit: TextLimit = { most, lengthOf: (text) => ((counted.units += text.length), lengthOf(text)) };
  return { limit, counted };
}

test('a long text is counted a few times only, because counting takes most of the time', () => {
  const { limit, counted } = counting(X_LIMIT);

  expect(splitText('😀'.repeat(20_000), limit)).toEqual({ parts: [...Array<string>(142).fill('😀'.repeat(140)), '😀'.repeat(120)] });
  expect(counted.units).toBeLessThan(30 * 40_000);
});

test('of a text with too many parts, only one part too many is made', () => {
  const { limit, counted } = counting(X_LIMIT);
  const text = '日本語中文字漢'.repeat(20_000);

  expect(splitText(text, limit, { most: 3 })).toEqual({ parts: Array<string>(4).fill(text.slice(0, 140)) });
  expect(counted.units).toBeLessThan(30 * 4 * 140);
});

const link = webUrl.map((url) => url.slice(0, 40));
const mention = fc.constantFrom('@ada', '@grace@example.test', '<@123>', '<@&45>', '<#6>');
const word = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }) },
  { weight: 3, arbitrary: fc.constantFrom('Ada', 'is', 'live.', 'Now!', 'e\u0301', '👩‍👩‍👧', '\\*', 'שלום', '日本語。', '🇩🇪') },
  { weight: 1, arbitrary: link },
  { weight: 1, arbitrary: mention },
);
const text = fc
  .array(fc.tuple(word, fc.constantFrom(' ', '\n', '\n\n', '  ', '')), { maxLength: 60 })
  .map((tokens) => tokens.flat().join(''));
const limit = fc.oneof(
  fc.integer({ min: 60, max: 120 }).map(units),
  fc.integer({ min: 60, max: 120 }).map(weighing),
  fc.integer({ min: 300, max: 500 }).map(bytes),
);

/** The text without spaces, because it is split at spaces. */
function read(one: string): string {
  return one.replace(/\s+/gu, '');
}

describe('for all texts', () => {
  test('each part is within the limit and not blank', () => {
    fc.assert(
      fc.property(text, limit, (value, { most, lengthOf }) => {
        for (const part of partsOf(value, { most, lengthOf })) {
          expect(lengthOf(part)).toBeLessThanOrEqual(most);
          expect(part.trim()).toBe(part);
          expect(part).not.toBe('');
        }
      }),
    );
  });

  test('the parts together are the text, in its order', () => {
    fc.assert(
      fc.property(text, limit, (value, within) => {
        fc.pre(runsOf(value).every((run) => !run.link || run.text.length <= 60));

        expect(read(partsOf(value, within).join(''))).toBe(read(value));
      }),
    );
  });

  test('a link or a mention is complete in one part', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.lorem({ maxCount: 4 }), link, mention), { maxLength: 30 }), limit, (tokens, within) => {
        const parts = partsOf(tokens.join(' '), within);
        const whole = new Set(parts.flatMap((part) => part.split(/\s+/u)));

        for (const one of tokens.filter((each) => /^https?:|^<?@/u.test(each))) expect(whole).toContain(one);
      }),
    );
  });

  test('no part begins or ends inside a character', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 60, max: 90 }), (value, most) => {
        const characters = new Set(Array.from(new Intl.Segmenter('en').segment(value), ({ segment }) => segment));

        for (const part of partsOf(value, units(most))) {
          const [first] = new Intl.Segmenter('en').segment(part);
          expect(characters).toContain(first?.segment);
        }
      }),
    );
  });
});
