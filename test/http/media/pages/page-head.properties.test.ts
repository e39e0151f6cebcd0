import { codePoint, fc, runs } from '../../../support/property.ts';
import { describe, expect, test } from 'vitest';
import { headOf } from '#src/http/media/pages/page-head.ts';
import { countProcessorMs } from '../../../support/processor-time.ts';

const HTML_SIZE = 1024 * 1024;

test.each([
  ['the text of its title', '<!doctype html><html><head><title>Ada &amp; Grace</title></head>', { title: 'Ada & Grace' }],
  [
    'its `og:` fields instead of its title',
    '<title>a</title><meta name="description" content="b"><meta property="og:title" content="A"><meta property="og:description" content="B">',
    { title: 'A', description: 'B' },
  ],
  [
    'its `twitter:` fields if it has no better ones',
    '<meta name="twitter:title" content="A"><meta name="twitter:description" content="B"><meta name="twitter:image" content="/c.png">',
    { title: 'A', description: 'B', image: '/c.png' },
  ],
  ['a picture under its secure address', '<meta property="og:image:secure_url" content="https://a.test/c">', { image: 'https://a.test/c' }],
  ['a field in `name` instead of `property`', "<META NAME='OG:Title' CONTENT='A'/>", { title: 'A' }],
  ['the first of several values', '<meta property=og:image content=1.png><meta property=og:image content=2.png>', { image: '1.png' }],
  ['its title if the `og:` field is empty', '<meta property="og:title" content=" "><title>A</title>', { title: 'A' }],
  ['a title on one line', '<title>\n  Ada\t\u0000 live\n</title>', { title: 'Ada live' }],
  ['a title with a tag in it, unchanged', '<title>a <b>&lt;c&gt;</title>', { title: 'a <b><c>' }],
  ['a title under a name in capitals', '<TITLE lang=de>A</TITLE >', { title: 'A' }],
  ['references by name and by number', '<title>&Auml;&#228;&#x1F600;&#151;&hellip;&euro;</title>', { title: 'Ää😀—…€' }],
  ['an unknown reference, unchanged', '<title>&nix; &copy &#xD800; &#0;</title>', { title: '&nix; &copy \uFFFD \uFFFD' }],
  ['references decoded once', '<title>&amp;lt;</title>', { title: '&lt;' }],
  ['a value with a tag in it', '<meta property="og:title" content="a > b <title>c</title>">', { title: 'a > b <title>c</title>' }],
  ['the first of two attributes', '<meta property="og:title" content="A" content="B">', { title: 'A' }],
  ['spaces around an equals sign', '<meta property = "og:title"  content\n=\n"A" >', { title: 'A' }],
  ['an attribute without a value', '<meta async property="og:title" content="A">', { title: 'A' }],
])('the head of a page has %s', (_, html, head) => {
  expect(headOf(html)).toEqual({ title: undefined, description: undefined, image: undefined, ...head });
});

test.each([
  ['a comment', '<!-- <title>no</title> --><title>A</title>'],
  ['an empty comment', '<!--><title>A</title>'],
  ['a script', '<script>document.write("<title>no</title>")</script><title>A</title>'],
  ['a style', '<style>a::after { content: "<title>no</title>" }</style><title>A</title>'],
  ['a wrong end tag', '<script></scripty><title>no</title></script><title>A</title>'],
  ['a text', 'a < b <3 <<title>A</title>'],
  ['a declaration', '<?xml version="1.0"?><!doctype html><title>A</title>'],
  ['another field with this name', '<meta name="title" content="no"><title>A</title>'],
])('a text in %s is not the title', (_, html) => {
  expect(headOf(html).title).toBe('A');
});

test.each([
  '<title>A',
  '<meta property="og:title" content="A',
  '<meta property="og:title" content=A',
  '<!-- <title>A</title>',
  '<script><title>A</title>',
])('an incomplete element at the end is ignored: %s', (html) => {
  expect(headOf(html)).toEqual({ title: undefined, description: undefined, image: undefined });
});

const SIGNS =
  '< > / = " \' & ; !-- --> <meta <title> </title> <script> </script property name content og:title og:image &#x &amp; <? <! <svg/onload= a';
const piece = fc.constantFrom(...SIGNS.split(' '), ' ', '\0', '\uD800', '😀');
const page = fc.array(fc.oneof(piece, fc.string({ unit: codePoint, maxLength: 8 })), { maxLength: 200 }).map((pieces) => pieces.join(''));

describe('for all pages', () => {
  test('each field is a line of text', () => {
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
      { numRuns: runs(60, 5_000) },
    );
  });

  test('a megabyte of repeated pieces is read in less than a second', () => {
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), (pieces) => {
        const one = pieces.join('');
        const html = one.repeat(Math.ceil(HTML_SIZE / one.length));
        const workedMs = countProcessorMs();

        headOf(html);

        expect(workedMs()).toBeLessThan(1_000);
      }),
      { numRuns: runs(3, 60) },
    );
  });

  test('the value of an `og:` field is read unchanged after scripts and comments', () => {
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
  ['beginnings of tags', '<a '],
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
