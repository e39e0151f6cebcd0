import { fc, runs, webUrl } from '../../support/property.ts';
import { describe, expect, test } from 'vitest';
import { countCodePoints } from '#src/clients/operation/text/characters.ts';
import { lengthElsewhere, mastodonLength } from '#adapters/mastodon/text/length.ts';
import { TEXT_LIMITS } from '../../support/text-limits.ts';
import { runsOf } from '#src/clients/operation/text/links.ts';
import { shorten } from '#src/clients/operation/text/shorten.ts';
import { splitText } from '#src/clients/operation/text/split-text.ts';
import { countedByPage, countedByServer } from './mastodon-counts.ts';

describe("the length of a post in Mastodon's count", () => {
  test.for([
    ['Ada is live.', 12],
    ['👩‍👩‍👧🇩🇪e\u0301', 3],
    ['https://www.twitch.tv/ada', 23],
    ['https://a.de', 23],
    [`see https://example.com/${'long/'.repeat(50)} now`, 31],
    ['(https://example.com/a?b=c&d=%20e#f).', 26],
    ['ask @grace@social.example.org!', 11],
    ['@grace', 6],
    ['http://localhost:8080/streams', 29],
    ['mail ada@example.com', 20],
    // The name continues into the address after it, so it is not a mention.
    ['@grace@social.example.org.http://example.com', 49],
  ] as const)('%s', ([text, length]) => {
    expect(mastodonLength(text)).toBe(length);
    expect(countedByServer(text)).toBe(length);
  });

  test('a link counts as much as the server states, even if that exceeds every limit', () => {
    expect(mastodonLength('See https://example.com', 2 ** 40)).toBe(4 + 2 ** 40);
  });

  test('a link counts as much as the server states', () => {
    expect(mastodonLength('https://www.twitch.tv/ada', 30)).toBe(30);
  });
});

const address = fc.oneof(
  webUrl,
  fc.constantFrom(
    'https://www.twitch.tv/ada',
    'https://a.de',
    'http://example.com',
    'https://münchen.de/straße',
    'https://日本語.jp/ページ',
    'https://a.unheardof/x',
    'https://a.com.unheardof/x',
    'http://localhost:3000/a',
    'http://127.0.0.1:8081/b',
    'https://en.wikipedia.org/wiki/Chess_(game)',
    'gemini://a.space/b',
    'https://a.com@evil.com/',
    'xhttps://a.com',
    'https://',
  ),
);
const mention = fc.constantFrom(
  '@ada',
  '@grace@social.example.org',
  '@a.b@c',
  '@x@https://a.com',
  '@@',
  'a@b.com',
  '/@u@v.org',
  '@ü@v.org',
  '@u@v.org@w',
);
const piece = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  { weight: 3, arbitrary: address },
  { weight: 2, arbitrary: mention },
  {
    weight: 2,
    arbitrary: fc.constantFrom(' ', '\n', '.', ',', '(', ')', '。', 'ü', '\u0301', '\u202E', '\u2060', '👩‍👩‍👧', '🇩🇪', 'שלום', '#', '＠'),
  },
);
const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''));
const { most, lengthOf } = TEXT_LIMITS.mastodon;

describe('for all texts', () => {
  test('the length is never less than the server and its page count', () => {
    fc.assert(
      fc.property(text, (value) => {
        const length = mastodonLength(value);
        expect(length).toBeGreaterThanOrEqual(countedByServer(value));
        expect(length).toBeGreaterThanOrEqual(countedByPage(value));
      }),
      {
        numRuns: runs(200, 8_000),
        examples: [['http://a.ac.ea?@a@a#'], ['http://a.ga?\u017F'], ['http://a.com.e\u017F'], ['@a\u212A@a.com']],
      },
    );
  });

  test('the length of words with links to common hosts is exact', () => {
    const link = fc
      .tuple(
        fc.constantFrom('https://www.twitch.tv', 'http://kick.com', 'https://social.example.org:8443'),
        fc.stringMatching(/^(\/[\w-]{1,20}){0,4}(\?[a-z]=\w{1,5})?$/),
      )
      .map((parts) => parts.join(''));
    const word = fc.oneof(fc.stringMatching(/^\p{L}{1,10}[.,!?]?$/u), fc.constantFrom('👩‍👩‍👧', '@ada', '@grace@social.example.org'), link);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), (parts) => {
        const value = parts.join(' ');
        expect(mastodonLength(value)).toBe(countedByServer(value));
      }),
      { numRuns: runs(150, 2_000) },
    );
  });

  test('on other servers, the length is never less than the number of code points', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(lengthElsewhere(value)).toBeGreaterThanOrEqual(countCodePoints(value));
      }),
    );
  });

  test('shortened texts and parts of split texts are within the limit, with complete links', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 20, maxLength: 40 }), (texts) => {
        const value = texts.join(' ');
        const links = new Set(runsOf(value).flatMap((run) => (run.link ? [run.text] : [])));

        const split = splitText(value, { most, lengthOf });
        const made = [shorten(value, most, lengthOf), ...('parts' in split ? split.parts : [])];

        for (const one of made) {
          expect(countedByServer(one)).toBeLessThanOrEqual(most);
          expect(runsOf(one).filter((run) => run.link && !links.has(run.text))).toEqual([]);
        }
      }),
      // Such texts are slow to make smaller.
      { numRuns: runs(20, 200) },
    );
  });
});
