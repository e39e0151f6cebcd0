import { fc } from '../../support/property.ts';
import { describe, expect, test } from 'vitest';
import { headOf } from '#src/media/pages/page-head.ts';
import { countProcessorMs } from '../../support/processor-time.ts';

const HTML_SIZE = 1024 * 1024;

test.each([
  ['its title', '<!doctype html><html><head><title>Ada &amp; Grace</title></head>', { title: 'Ada & Grace' }],
  [
    'what it says for links before its title',
    '<title>a</title><meta name="description" content="b"><meta property="og:title" content="A"><meta property="og:description" content="B">',
    { title: 'A', description: 'B' },
  ],
  [
    'what it says for another network, where nothing better is said',
    '<meta name="twitter:title" content="A"><meta name="twitter:description" content="B"><meta name="twitter:image" content="/c.png">',
    { title: 'A', description: 'B', image: '/c.png' },
  ],
  ['a picture under its secure address', '<meta property="og:image:secure_url" content="https://a.test/c">', { image: 'https://a.test/c' }],
  ['what stands in `name` where `property` should be', "<META NAME='OG:Title' CONTENT='A'/>", { title: 'A' }],
  ['the first of several', '<meta property=og:image content=1.png><meta property=og:image content=2.png>', { image: '1.png' }],
  ['the next best where the best is empty', '<meta property="og:title" content=" "><title>A</title>', { title: 'A' }],
  ['a title on one line', '<title>\n  Ada\t\u0000 live\n</title>', { title: 'Ada live' }],
  ['a title with a tag in it as it is written', '<title>a <b>&lt;c&gt;</title>', { title: 'a <b><c>' }],
  ['a title under a name in capitals', '<TITLE lang=de>A</TITLE >', { title: 'A' }],
  ['references by name and by number', '<title>&Auml;&#228;&#x1F600;&#151;&hellip;&euro;</title>', { title: 'Ää😀—…€' }],
  ['an unknown reference as it is written', '<title>&nix; &copy &#xD800; &#0;</title>', { title: '&nix; &copy \uFFFD \uFFFD' }],
  ['what is written once', '<title>&amp;lt;</title>', { title: '&lt;' }],
  ['a value with a tag in it', '<meta property="og:title" content="a > b <title>c</title>">', { title: 'a > b <title>c</title>' }],
  ['the first of two attributes', '<meta property="og:title" content="A" content="B">', { title: 'A' }],
  ['spaces around an equals sign', '<meta property = "og:title"  content\n=\n"A" >', { title: 'A' }],
  ['an attribute without a value', '<meta async property="og:title" content="A">', { title: 'A' }],
])('a page says %s', (_, html, head) => {
  expect(headOf(html)).toEqual({ title: undefined, description: undefined, image: undefined, ...head });
});

test.each([
  ['a comment', '<!-- <title>no</title> --><title>A</title>'],
  ['a comment that is none', '<!--><title>A</title>'],
  ['a script', '<script>document.write("<title>no</title>")</script><title>A</title>'],
  ['a style', '<style>a::after { content: "<title>no</title>" }</style><title>A</title>'],
  ['an end that is none', '<script></scripty><title>no</title></script><title>A</title>'],
  ['a text', 'a < b <3 <<title>A</title>'],
  ['a declaration', '<?xml version="1.0"?><!doctype html><title>A</title>'],
  ['another field that is called so', '<meta name="title" content="no"><title>A</title>'],
])('what stands in %s is not said', (_, html) => {
  expect(headOf(html).title).toBe('A');
});

test.each([
  '<title>A',
  '<meta property="og:title" content="A',
  '<meta property="og:title" content=A',
  '<!-- <title>A</title>',
  '<script><title>A</title>',
])('what is cut off at the end is not said: %s', (html) => {
  expect(headOf(html)).toEqual({ title: undefined, description: undefined, image: undefined });
});

const SIGNS =
  '< > / = " \' & ; !-- --> <meta <title> </title> <script> </script property name content og:title og:image &#x &amp; <? <! <svg/onload= a';
const piece = fc.constantFrom(...SIGNS.split(' '), ' ', '\0', '\uD800', '😀');
const page = fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 200 }).map((pieces) => pieces.join(''));

describe('whatever a page is', () => {
  test('it is read, and what it says is a line of text', () => {
    fc.assert(
      fc.property(page, (html) => {
        for (const text of Object.values(headOf(html))) {
          if (text === undefined) continue;
          expect(text).toBe(text.trim());
          expect(text).not.toBe('');
          expect(text).not.toMatch(/\p{Cc}/u);
          expect(text.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('a megabyte of the same again and again is read in less than a second', () => {
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), (pieces) => {
        const one = pieces.join('');
        const html = one.repeat(Math.ceil(HTML_SIZE / one.length));
        const workedMs = countProcessorMs();

        headOf(html);

        expect(workedMs()).toBeLessThan(1_000);
      }),
      { numRuns: 12 },
    );
  }, 30_000);

  test('what is written for links is what is read, behind whatever ends', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 50 }), fc.constantFrom('"', "'"), (value, quote) => {
        const written = value.replaceAll(/[&"'<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
        const html = `<head><script>if (a<b) c("</p>")</script><!-- > --><meta property=${quote}og:title${quote} content=${quote}${written}${quote}>`;

        expect(headOf(html).title ?? '').toBe(
          value
            .toWellFormed()
            .replaceAll(/[\s\p{Cc}]+/gu, ' ')
            .trim(),
        );
      }),
    );
  });
});

test.each([
  ['begins of tags', '<a '],
  ['signs', '<'],
  ['quotes', '<a b="'],
  ['other quotes', `<a b='"`],
  ['comments', '<!--'],
  ['titles', '<title>'],
  ['ends of titles', '<title></title'],
  ['scripts', '<script></script'],
  ['attributes', 'a=b '],
  ['equals signs', '='],
  ['spaces in a tag', ' '],
  ['slashes', '/'],
  ['fields', '<meta property=og:title content=>'],
  ['references', '&#'],
  ['references in a title', '&amp;'],
])('a megabyte of %s is read in less than a second', (_, one) => {
  for (const before of ['', '<a ', '<title>', '<meta property="og:title" content="']) {
    const html = before + one.repeat(Math.ceil(HTML_SIZE / one.length));
    const workedMs = countProcessorMs();

    headOf(html);

    expect(workedMs()).toBeLessThan(1_000);
  }
});
