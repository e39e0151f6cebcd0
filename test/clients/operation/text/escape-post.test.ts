import { codePoint, fc } from '../../../support/property.ts';
import { expect, test } from 'vitest';
import { escapePost } from '#src/clients/operation/text/escape-post.ts';
import { mentionsOnPlatforms, NO_MENTIONS } from './mentions-on-platforms.ts';

test.each([
  ['thanks @ada', 'thanks @\u2060ada'],
  ['＠ada', '＠\u2060ada'],
  ['RT@ada', 'RT@\u2060ada'],
  ['@', '@\u2060'],
  ['https://social.test/@ada is not called, @ada neither', 'https://social.test/%40ada is not called, @\u2060ada neither'],
  ['#speedrun *x*', '#speedrun *x*'],
  ['https://a.b,@ada', 'https://a.b,@\u2060ada'],
  ['http://@ada', 'http://@\u2060ada'],
  ['https://ok.com/x(@ada', 'https://ok.com/x(%40ada'],
  ['https://ok.com/x/＠ada', 'https://ok.com/x/%EF%BC%A0ada'],
  // X ends the link before the question mark, and reads the rest.
  ['https://twitch.tv/x.?/@ada now', 'https://twitch.tv/x.?/%40ada now'],
  ['https://twitch.tv/,?q=1/@ada', 'https://twitch.tv/,?q=1/%40ada'],
  // X ends a link to t.co after its first segment, and reads the rest.
  ['https://t.co/abc/@ada', 'https://t.co/abc/%40ada'],
  ['https://T.CO/@ada', 'https://T.CO/%40ada'],
  ['https://t.co:80/@ada', 'https://t.co:80/%40ada'],
  // X reads `ok.com/[https:` as the link.
  ['ftp://ok.com/[https://ok.com/@ada', 'ftp://ok.com/[https://ok.com/%40ada'],
  ['https://a_b.com/@ada', 'https://a_b.com/%40ada'],
  [`https://${'a'.repeat(64)}.com/@ada`, `https://${'a'.repeat(64)}.com/%40ada`],
  [`https://ok.com/@ada/${'a'.repeat(4096)}`, `https://ok.com/%40ada/${'a'.repeat(4096)}`],
])('foreign text in a post mentions no one: %j', (text, expected) => {
  expect(escapePost(text)).toBe(expected);
});

test.each([
  'https://www.youtube.com/@ada',
  'https://mastodon.social/@ada/113',
  '(https://www.tiktok.com/@ada/video/7?lang=en)',
  'https://www.google.com/maps/@52.5,13.4,15z',
  'https://unpkg.com/react@18.0.0/index.js',
  'https://example.com/?user=@ada&x=1',
])('a link without a mention is unchanged: %s', (text) => {
  expect(mentionsOnPlatforms(text)).toEqual(NO_MENTIONS);
  expect(escapePost(text)).toBe(text);
});

test('a name directly after a link is not escaped, because it continues the link', () => {
  expect(escapePost('@ada', 'https://www.youtube.com/')).toBe('@ada');
  expect(escapePost('@ada', 'watch https://www.youtube.com/ ')).toBe('@\u2060ada');
  expect(escapePost('https://ok.com/@ada', 'Live')).toBe('https://ok.com/%40ada');
  expect(mentionsOnPlatforms('Livehttps://ok.com/@ada').x).toEqual(['ada']);
});

const SIGNS = [' @ada.test', '(@ada.bsky.social', '\n@', '@', '@', '@', '＠', '﹫', '@@', '@\u2060', '@\u200B', '@\u0301', '&#64;', '%40'];
const NAMES = [
  'ada',
  'ADA_1',
  'a'.repeat(21),
  'ada.bsky.social',
  'ada.test',
  'ada@example.social',
  'ſada',
  '日本',
  'ada/list',
  'ada://x',
  '1',
];
const LINKS = [
  'https://',
  'http://',
  'HTTPS://OK.COM/',
  'https://ok.com',
  'https://ok.com/',
  'https://ok.com/x(',
  'https://ok.com/x)',
  'https://ok.com?u=',
  'https://ok.com/?u=',
  'https://ok.com/#',
  'https://ok.com:80/',
  'https://ok.company/',
  'https://a_b.ok.com/',
  'https://-.com/',
  'https://t.co/',
  'https://t.co/abc',
  'https://t.co/abc/',
  'https://a.b',
  'https://no-ending.zzz/',
  'https://localhost/',
  'https://127.0.0.1/',
  'https://bücher.de/',
  'https://ok.com/日本/',
  'https://ok.com/ü/',
  'https://user:pass',
  'https://[::1]/',
  'ok.com/',
  'ftp://ok.com/',
  'mailto:a',
  'ada',
];
const BETWEEN = [
  ...Array.from(' \n\t.,:;!?/\\()[]{}<>"\'`|=+-–—_~#$%&*^'),
  '',
  '',
  '\u200B',
  '\u200D',
  '\u2060',
  '\u00A0',
  '\u3000',
  '\u0301',
  'é',
  'я',
  '日',
  '👍',
  '…',
  '。',
  '：',
  'RT',
  'rt:',
  '%2F',
  '//',
];

const PIECES = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...SIGNS) },
  { weight: 3, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 3, arbitrary: fc.constantFrom(...LINKS) },
  { weight: 4, arbitrary: fc.constantFrom(...BETWEEN) },
  { weight: 1, arbitrary: fc.string({ unit: codePoint, maxLength: 3 }) },
);
const TEXTS = fc.array(PIECES, { maxLength: 12 }).map((pieces) => pieces.join(''));

test('no generated text mentions anyone on X, Mastodon or Bluesky', () => {
  fc.assert(
    fc.property(
      TEXTS,
      fc.constantFrom('', 'Live: ', '(', 'Live', '#', '$', '/', '=', 'https://ok.com/', 'https://ok.com/x('),
      (text, before) => {
        expect(mentionsOnPlatforms(before + escapePost(text, before))).toEqual(NO_MENTIONS);
      },
    ),
    { numRuns: 3000, verbose: true, examples: [['ada.bsky.social?https://a_b.ok.com/@mailto:a', '']] },
  );
});

test('the generated texts mention users before they are escaped', () => {
  const seen = { x: 0, mastodon: 0, bluesky: 0 };
  for (const text of fc.sample(TEXTS, { numRuns: 1000, seed: 7 })) {
    const found = mentionsOnPlatforms(text);
    for (const platform of ['x', 'mastodon', 'bluesky'] as const) seen[platform] += found[platform].length === 0 ? 0 : 1;
  }
  expect(Math.min(seen.x, seen.mastodon, seen.bluesky)).toBeGreaterThan(50);
});
