import { countProcessorMs } from '../../../support/processor-time.ts';
import { fc } from '../../../support/property.ts';
import { describe, expect, test } from 'vitest';
import { xLength } from '#adapters/x/text/length.ts';
import { runsOf } from '#src/clients/operation/text/links.ts';
import { plain } from '#src/clients/operation/text/sanitize.ts';
import { countGraphemes } from '#src/clients/operation/text/characters.ts';
import { shorten } from '#src/clients/operation/text/shorten.ts';

describe('text that is too long', () => {
  test.each([
    ['short enough', 20, 'short enough'],
    ['a long sentence', 10, 'a long se…'],
    ['a word then', 8, 'a word…'],
    ['a long sentence https://a.test/x', 24, 'a long… https://a.test/x'],
    ['https://a.test/x and a long end', 22, 'https://a.test/x and…'],
    ['https://a.test/x now', 18, 'https://a.test/x …'],
    ['one https://a.test/1 two https://a.test/2', 39, 'one https://a.test/1 … https://a.test/2'],
    ['https://a.test/1 https://a.test/2', 20, 'https://a.test/1 …'],
    ['one https://a.test/1 two https://a.test/2', 30, 'one https://a.test/1 two …'],
    ['thanks to @grace.bsky.social', 18, 'thanks to…'],
    ['thanks to #speedrun', 15, 'thanks to…'],
    ['mail to grace@example.test', 20, 'mail to…'],
    ['look at example.com/live', 18, 'look at…'],
    ['buy $FANF now or never', 8, 'buy…'],
    // No tag before the cut, and none after it.
    ['buy $FANFक्षि now or never', 10, 'buy…'],
    ['buy $FANFANFAN now or never', 12, 'buy…'],
    ['buy $FANF😀 now or never', 11, 'buy…'],
    // The text and its link are one word, so the text alone must not become a tag.
    ['see #tagshttps://a.test/1', 12, 'see …'],
    ['#taghttps://a.test/1 now', 10, '… now'],
    ['https://a.test/longer', 5, ''],
    // Some platforms read `https://a.test/x"` as the link once there is a space before it.
    ['a long sentence.https://a.test/x" end', 29, 'a lon… https://a.test/x " end'],
    // Some platforms read the whole word as one tag.
    ['words #taghttps://a.test/x!)more and more', 34, 'words #taghttps://a.test/x!)more …'],
    ['words #taghttps://a.test/x!)more and more', 29, 'words …'],
    ['see example.comhttps://a.test/x now', 29, 'see …'],
    ['https://a.test/x)word and more words', 26, 'https://a.test/x)word and…'],
    ['https://a.test/x)word and more words', 20, 'https://a.test/x …'],
    ['👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 20, '👩‍👩‍👧👩‍👩‍👧…'],
    ['https://a.test/1>#taghttps://b.test/2 and more', 22, 'https://a.test/1 …'],
    ['a https:// and more', 12, 'a https:// …'],
    ['aaaa\\*bbbb', 6, 'aaaa…'],
    ['aaa\\\\bbbb', 6, 'aaa\\\\…'],
  ])('%j in %i is %j', (text, max, expected) => {
    expect(shorten(text, max)).toBe(expected);
  });

  test('is shortened to the limit, with complete links only', () => {
    const word = fc.constantFrom('a ', ' ', 'word ', '👩‍👩‍👧 ', 'é ', '\\* ', 'https://a.test/one ', 'https://b.test/(two) ', '\n');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), fc.integer({ min: 1, max: 120 }), (tokens, max) => {
        const text = tokens.join('');

        const short = shorten(text, max);

        const links = new Set(runsOf(text).flatMap((run) => (run.link ? [run.text] : [])));
        expect(short.length).toBeLessThanOrEqual(max);
        expect(runsOf(short).filter((run) => run.link && !links.has(run.text))).toEqual([]);
      }),
    );
  });

  test('is shortened in limited time, even if words together count more than separately', () => {
    const tokens = 'Hello.there '.repeat(12).trim();
    let asked = 0;
    const lengthOf = (text: string): number => {
      if (++asked > 1_000) throw new Error('the search does not end');
      return xLength(text);
    };

    expect(shorten(tokens, 280, lengthOf)).toBe(`${'Hello.there '.repeat(8)}…`);
  });

  test('is shortened in linear time, even if it has many links', () => {
    const text = 'https://example.com/x '.repeat(1_000);
    let counted = 0;
    const lengthOf = (one: string): number => {
      counted += one.length;
      return xLength(one);
    };

    expect(shorten(text, 280, lengthOf)).toBe(`${'https://example.com/x '.repeat(11)}…`);
    expect(counted).toBeLessThan(10 * text.length);
  });

  test('is counted in visible characters', () => {
    expect(countGraphemes('👩‍👩‍👧é!')).toBe(3);
  });

  test('is counted as by the segmenter, with and without a need for it', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom('a', ' ', '\n', '\r', '\t', '\u0301', '\u200d', '👩'), fc.string({ maxLength: 1 })),
    });
    const property = fc.property(text, (one) => {
      expect(countGraphemes(one)).toBe([...segmenter.segment(one)].length);
    });
    fc.assert(property);
  });
});

describe('plain text', () => {
  test.each([
    ['**Big** _news_ `now` ||x|| ~~y~~', 'Big news now x y'],
    ['ada_lovelace and snake_case_name_', 'ada_lovelace and snake_case_name_'],
    ['# Title\n> quote\n-# small', 'Title\nquote\nsmall'],
    ['<@1> <@&2> <#3> <:smile:4> hi', '   :smile: hi'],
    ['thanks @ada', 'thanks ada'],
    ['[here](https://a.test/x_y)', 'here https://a.test/x_y'],
    ['https://a.test/_x_', 'https://a.test/_x_'],
  ])('%j has no markup and no mentions', (text, expected) => {
    expect(plain(text)).toBe(expected);
  });
});

test('a long text is counted about twice, because counting takes most of the time', () => {
  const text = 'ภาษา '.repeat(20_000);
  let counted = 0;

  expect(shorten(text, 280, (one) => ((counted += one.length), one.length))).toHaveLength(280);
  expect(counted).toBeLessThan(2.5 * text.length);
});

test.each([
  ['letters with accents', 'e\u0301'],
  ['Thai', 'ก็'],
])('a long word of %s is shortened fast', (_script, letter) => {
  const workedMs = countProcessorMs();

  const short = shorten(letter.repeat(15_000), 280);

  expect(short).toMatch(/…$/u);
  expect(workedMs()).toBeLessThan(1_000);
});
