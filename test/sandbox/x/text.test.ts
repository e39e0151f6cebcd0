import * as fc from 'fast-check';
import twitter from 'twitter-text';
import { describe, expect, test } from 'vitest';
import type { People } from '#src/sandbox/social/people.ts';
import { shortened } from '#src/sandbox/x/wire/links.ts';
import { wireText } from '#src/sandbox/x/wire/text.ts';
import { weightOf } from '#src/sandbox/x/wire/weight.ts';

const nobody: People = { all: [], others: [], find: () => undefined, isProtected: () => false };
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
const text = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''));

describe('what a text becomes', () => {
  test('it weighs what twitter-text says', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(weightOf(given)).toBe(twitter.parseTweet(given).weightedLength);
      }),
    );
  });

  test('the positions of its parts are counted in code points of the text as it is handed out', () => {
    fc.assert(
      fc.property(text, (given) => {
        const { text: wire, entities, range } = wireText(given, { people: nobody });
        const points = Array.from(wire);
        for (const { start, end, tag, username, url } of Object.values(entities ?? {}).flat() as Record<string, never>[]) {
          const shown = points.slice(start, end).join('');
          expect([`#${tag}`, `$${tag}`, `@${username}`, url]).toContain(shown);
        }
        expect(range).toEqual([0, points.length]);
      }),
    );
  });

  test('short addresses and signs put back, it is what was written', () => {
    fc.assert(
      fc.property(text, (given) => {
        const { text: wire, entities } = wireText(given, { people: nobody });
        const urls = (entities?.['urls'] ?? []) as unknown as readonly { url: string; expanded_url: string }[]; // made so
        const long = urls.reduce((all, { url, expanded_url: expanded }) => all.replace(url, () => expanded), wire);
        expect(long.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')).toBe(given);
      }),
    );
  });

  test('a link of the wild, without http and with a bracket', () => {
    const { text: wire, entities } = wireText('See example.com/a (and https://en.wikipedia.org/wiki/X_(net)).', { people: nobody });

    expect(wire).toBe(`See ${shortened('http://example.com/a')} (and ${shortened('https://en.wikipedia.org/wiki/X_(net)')}).`);
    expect(entities?.['urls']).toMatchObject([
      { display_url: 'example.com/a', expanded_url: 'http://example.com/a' },
      { display_url: 'en.wikipedia.org/wiki/X_(n…' },
    ]);
    expect(shortened('a')).toHaveLength(23);
  });
});
