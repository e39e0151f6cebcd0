import { codePoint, fc, runs } from '../../support/property.ts';
import twitterText from 'twitter-text';
import { expect, test } from 'vitest';
import { xLength } from '#adapters/x/text/length.ts';

/** The weight in the library of X. */
function weightOf(text: string): number {
  return twitterText.parseTweet(text).weightedLength;
}

test.for([
  ['plain letters', 'hello world', 11],
  ['letters of other scripts', '日本語', 6],
  ['Cyrillic and Arabic', 'Привет سلام', 11],
  ['a letter in two parts', 'e\u0301', 1],
  ['Hangul in parts', '\u1112\u1161\u11AB', 2],
  ['an emoji', '😀', 2],
  ['a family', '👩‍👩‍👧‍👦', 2],
  ['a flag', '🇩🇪', 2],
  ['the flag of Wales', '🏴󠁧󠁢󠁷󠁬󠁳󠁿', 2],
  ['a keycap', '1️⃣', 2],
  ['a tone of skin', '👍🏽', 2],
  ['a heart with and without its selector', '❤️❤', 4],
  ['a short link', 'http://a.co', 23],
  ['a long link', `https://fanfare.example.com/${'a'.repeat(300)}?b=c#d`, 23],
  ['a bare host', 'example.com', 23],
  ['a bare host in a sentence', 'See example.com/live.', 28],
  ['a link in brackets', '(https://example.com/a)', 25],
  ['two links', 'https://example.com https://example.org', 47],
  ['a file', 'node.js', 7],
  ['a number', 'version 1.2.3', 13],
  ['typographic marks', '“so – it’s …”', 14],
] as const)('%s', ([, text, weight]) => {
  expect(weightOf(text)).toBe(weight);
  expect(xLength(text)).toBe(weight);
});

test('X counts only the first segment of a link to t.co as a link, and the rest as text', () => {
  const text = `https://t.co/abc/${'d'.repeat(60)}`;

  expect(xLength(text)).toBeGreaterThanOrEqual(weightOf(text));
});

/** Texts that are separated by spaces. */
function oneOf(texts: string): fc.Arbitrary<string> {
  return fc.constantFrom(...texts.split(' '));
}

const tokens = fc.oneof(
  oneOf('hello Ünïcödé 日本 한국 ไทย سلام שלום Z͑ͫ̓ͪ © ™ … “ ’ — @ada #tag $TWTR ＠x ＃x _ - / : ( ) [ ] & = ? ! , . ..'),
  fc.constantFrom('a\u0301', '\u202E', '\u200F', '\u200D', '\uFE0F', '\uFE0E', '\uFEFF', '\uD83D', '\n', ' ', '  '),
);
const emoji = oneOf('😀 👍 👍🏽 🧑🏽‍🚀 👩🏿‍🚀 👨‍👩‍👧‍👦 👩‍❤️‍💋‍👨 🏳️‍🌈 🏳️‍⚧️ 🏴‍☠️ ❤️‍🔥 ❤️ ❤ ♾️ ☺︎ 🇩🇪 🇨🇶 🇦 🇽🇽 1️⃣ #️⃣ 🏴󠁧󠁢󠁷󠁬󠁳󠁿 🤼🏽‍♀️ 🫱🏻‍🫲🏿 🫠 🪿 🏽');
const hosts = oneOf(
  [
    'example.com a.co a.b.c.org foo_bar.example.net -x.com x-.com münchen.de 日本.jp 例え.テスト example.みんな xn--fiqs8s.xn--fiqs8s',
    'example.museum node.js readme.md v1.2 1.2.3.4 localhost example.com日本 日本example.com user@example.com t.co 😀.com',
    `${'a'.repeat(70)}.com a.construction Hello.World`,
  ].join(' '),
);
const paths = oneOf(' / /a /a. /a(b) /a(b /日本 /é /@ada/ /#x ?q=1 /p?q=1&r=[x] /p?q=é :8080/x /a%20b. /👍');
const links = fc.tuple(fc.constantFrom('', 'http://', 'https://', 'HTTPS://', 'ftp://', '//'), hosts, paths).map((parts) => parts.join(''));
const pieces = fc.array(fc.oneof(tokens, emoji, links, fc.constant(' '), fc.string({ unit: codePoint }), fc.string({ unit: 'grapheme' })), {
  maxLength: 12,
});

test('a text never weighs less than in the library of X', () => {
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = parts.join('');
      expect(xLength(text)).toBeGreaterThanOrEqual(weightOf(text));
    }),
    { numRuns: runs(700, 30_000), examples: [[['http://a.ga?\u017F']], [['a.com.\u017Fa']], [['\uD83D', '😀', '\uDC00']]] },
  );
});

test('separate links, words and common emoji weigh the same as in the library of X', () => {
  const sure = fc.oneof(
    fc.constantFrom(
      'hello',
      'Ünïcödé',
      '日本',
      'سلام',
      '😀',
      '👍🏽',
      '👩🏿‍🚀',
      '👨‍👩‍👧‍👦',
      '🇩🇪',
      '🏴󠁧󠁢󠁷󠁬󠁳󠁿',
      '1️⃣',
      '❤️',
      '…',
      '#tag',
      '@ada',
      '(a)',
      'e\u0301',
      '12:30',
      '3.5',
    ),
    fc
      .tuple(oneOf('example.com a-b.example.org www.twitch.tv x.de'), fc.stringMatching(/^(\/[a-z0-9_~-]{1,8}){0,3}(\?[a-z0-9=&]{1,10})?$/))
      .map(([host, path]) => `https://${host}${path}`),
    fc.constantFrom('https://www.twitch.tv/ada', 'https://example.com/a?b=c#d', 'example.com', 'https://youtu.be/x-_1'),
  );
  fc.assert(
    fc.property(fc.array(sure, { maxLength: 20 }), (parts) => {
      const text = parts.join(' ');
      expect(xLength(text)).toBe(weightOf(text));
    }),
    { numRuns: runs(150, 5_000) },
  );
});

test('every emoji weighs at least as much as in the library of X', () => {
  const singles = Array.from({ length: 0x1fb00 }, (_, point) => String.fromCodePoint(point)).filter((sign) => /^\p{Emoji}$/u.test(sign));
  const tones = ['', '\uFE0F', '🏻', '🏿', '\u200D♀️', '🏽\u200D♂️', '\u200D🚀', '🏽\u200D🚀', '\u200D❤️\u200D👨', '\u200D👦'];
  const all = singles.flatMap((sign) => tones.map((tone) => sign + tone));

  expect(all.filter((text) => xLength(text) < weightOf(text))).toEqual([]);
});
