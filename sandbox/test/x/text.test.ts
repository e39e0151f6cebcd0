import { fc } from '../../../test/support/property.ts';
import twitter from 'twitter-text';
import { describe, expect, test } from 'vitest';
import type { People } from '../../social/people.ts';
import { weightOf, wireText } from '../../x/text.ts';

const noPeople: People = { all: [], others: [], find: () => undefined, isProtected: () => false };
const piece = fc.oneof(
  fc.constantFrom('Hello', ' ', '\n', '漢字', 'ที่นี่', 'שלום', '👍', '👩‍👩‍👧', '🇩🇪', 'é', 'e\u0301', '…', '“quoted”', '&', '<b>', '…!'),
  fc.constantFrom(
    ' https://example.com/a?b=c&d=e ',
    ' http://sub.example.org ',
    ' (https://example.com/x) ',
    ' #tag ',
    ' @name ',
    ' $ABC ',
    ' #123 ',
  ),
  fc.string({ unit: 'grapheme-ascii', maxLength: 12 }).map((text) => text.replaceAll(/[.:/@#$]/g, '')),
);
const texts = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''));

describe('the text of a post', () => {
  test('the weighted length equals that of twitter-text', () => {
    fc.assert(
      fc.property(texts, (original) => {
        expect(weightOf(original)).toBe(twitter.parseTweet(original).weightedLength);
      }),
    );
  });

  test('the positions of entities count code points of the sent text', () => {
    fc.assert(
      fc.property(texts, (original) => {
        const { text: wire, entities, range } = wireText(original, noPeople);
        const points = Array.from(wire);
        for (const { start, end, tag, username, url } of Object.values(entities ?? {}).flat() as Record<string, never>[]) {
          const shown = points.slice(start, end).join('');
          expect([`#${tag}`, `$${tag}`, `@${username}`, url]).toContain(shown);
        }
        expect(range).toEqual([0, points.length]);
      }),
    );
  });

  test('the text with expanded links and unescaped characters equals the original', () => {
    fc.assert(
      fc.property(texts, (original) => {
        const { text: wire, entities } = wireText(original, noPeople);
        const urls = (entities?.['urls'] ?? []) as unknown as readonly { url: string; expanded_url: string }[]; // made so
        const long = urls.reduce((all, { url, expanded_url: expanded }) => all.replace(url, () => expanded), wire);
        expect(long.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')).toBe(original);
      }),
    );
  });

  test('links without http and with a bracket are found', () => {
    const { text: wire, entities } = wireText('See example.com/a (and https://en.wikipedia.org/wiki/X_(net)).', noPeople);

    expect(wire).toMatch(/^See https:\/\/t\.co\/\w{10} \(and https:\/\/t\.co\/\w{10}\)\.$/);
    expect(entities?.['urls']).toMatchObject([
      { display_url: 'example.com/a', expanded_url: 'http://example.com/a' },
      { display_url: 'en.wikipedia.org/wiki/X_(n…' },
    ]);
  });
});
