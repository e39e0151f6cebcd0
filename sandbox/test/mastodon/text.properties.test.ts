import { fc, runs } from '../../../test/support/property.ts';
import twitterText from 'twitter-text';
import { describe, expect, test } from 'vitest';
import { idFormats, idNumberAt } from '../../mastodon/ids.ts';
import { inDialect } from '../../mastodon/request.ts';
import { lengthOf, partsOf, toHtml, type Links } from '../../mastodon/text.ts';

const links: Links = { tag: (name) => `https://here.example/tags/${name}`, person: () => undefined };
const idNumber = fc
  .tuple(fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) }), fc.integer({ min: 0, max: 0xffff }))
  .map(([ms, order]) => idNumberAt(ms, order));
const word = fc.constantFrom(
  '@ada',
  '@mira@streams.example',
  '#Chess',
  'https://example.com/a?b=(c)',
  'plain',
  '<b>',
  '\n',
  '\n\n',
  '👩‍👧',
  ' ',
  'a@b.example',
  '.',
);
const texts = fc.array(word, { maxLength: 12 }).map((words) => words.join(''));

describe('ids', () => {
  test.for([
    ['snowflakes', idFormats.snowflakes],
    ['ULIDs', idFormats.ulids],
  ] as const)('%s round-trip and keep the order of their numbers', ([, format]) => {
    fc.assert(
      fc.property(idNumber, idNumber, (one, other) => {
        const [first, second] = [format.write(one), format.write(other)];
        expect(format.read(first)).toBe(one);
        expect(Math.sign(first < second ? -1 : first > second ? 1 : 0)).toBe(one < other ? -1 : one > other ? 1 : 0);
      }),
    );
  });

  test('a text that is not an id is rejected', () => {
    expect([
      idFormats.snowflakes.read('abc'),
      idFormats.snowflakes.read(''),
      idFormats.ulids.read('117650069913632769'),
      idFormats.ulids.read('I'.repeat(26)),
    ]).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe('texts', () => {
  test('the parts of a text form the text', () => {
    fc.assert(
      fc.property(fc.oneof(texts, fc.string({ unit: 'grapheme' })), (text) => {
        expect(
          partsOf(text)
            .map((part) => part.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });

  test.for([
    ['@ada', ['mention']],
    ['(@ada, @mira@streams.example.)', ['text', 'mention', 'text', 'mention', 'text']],
    ['@mira@127.0.0.1:8081!', ['mention', 'text']],
    ['mail a@b.example', ['text']],
    ['x#no #1 #a1', ['text', 'hashtag']],
    ['https://example.com/@ada#tag', ['url']],
    ['#日本語 über', ['hashtag', 'text']],
  ] as const)('%s has the expected parts', ([text, kinds]) => {
    expect(partsOf(text).map(({ kind }) => kind)).toEqual(kinds);
  });

  test('URLs are the same as those of the twitter-text library, which Mastodon uses', () => {
    const piece = fc.constantFrom(
      ..."az09/?#=&.,;:!)[]%~@+-_' é".split(''),
      // In JavaScript, the library drops a final bracket after some characters. The Ruby library of Mastodon does not.
      '_(b)c',
      '_(b(c))',
      '//',
      ' https://example.com/',
      ' http://www.example.co.uk/a',
      '"',
      '<',
      '…',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const text = pieces.join('');
        const urls = partsOf(text).flatMap((part) => (part.kind === 'url' ? [part.text] : []));
        expect(urls).toEqual(twitterText.extractUrls(text, { extractUrlsWithoutProtocol: false }));
      }),
      { numRuns: runs(500, 20_000) },
    );
  });

  test('the HTML of a text escapes every tag in the text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const html = toHtml(text, links);
        const tags = new Set(html.match(/<\/?[a-z]+/g));
        expect([...tags].filter((tag) => !['<p', '</p', '<br', '<a', '</a', '<span', '</span'].includes(tag))).toEqual([]);
        expect(html === '' || /^(<p>.*<\/p>)$/su.test(html)).toBe(true);
        expect(html).not.toContain('\n');
      }),
    );
  });

  test('the length counts graphemes, 23 per URL, and no servers in mentions', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'é', '👩‍👧‍👦', '🇩🇪', 'か'), { maxLength: 40 }),
        fc.constantFrom('https://example.com/a', 'https://example.com/a_(b)?c=d&e=f', `https://example.com/${'x'.repeat(90)}`),
        (parts, url) => {
          const text = parts.join('');
          expect(lengthOf({ text, spoilerText: 'cw' })).toBe(parts.length + 2);
          expect(lengthOf({ text: `${text} ${url}`, spoilerText: '' })).toBe(parts.length + 1 + 23);
          expect(lengthOf({ text: `${text} @mira@streams.example`, spoilerText: '' })).toBe(parts.length + 1 + '@mira'.length);
        },
      ),
    );
  });
});

test('the bare server sends null for empty lists and instants without a zone', () => {
  const body = {
    id: '1',
    created_at: '2026-11-20T18:00:00.123Z',
    tags: [],
    quote: null,
    account: { fields: [], note: '2026-11-20T18:00:00.123Z' },
  };

  expect(inDialect([body], 'bare')).toEqual([
    { id: '1', created_at: '2026-11-20 18:00:00', tags: null, account: { fields: null, note: '2026-11-20T18:00:00.123Z' } },
  ]);
  expect(inDialect(body, '4.2')).toEqual({ ...body, quote: undefined });
  expect(inDialect(body, '4.6')).toEqual(body);
});
