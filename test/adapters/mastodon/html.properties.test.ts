import { fc, runs } from '../../support/property.ts';
import { describe, expect, test } from 'vitest';
import { readHtml, textOfHtml } from '#adapters/mastodon/text/html.ts';
import { countProcessorMs } from '../../support/processor-time.ts';

describe('HTML as text', () => {
  test.for([
    ['a paragraph', '<p>Hello</p>', 'Hello'],
    ['paragraphs', '<p>one</p><p>two</p>', 'one\n\ntwo'],
    ['lines', '<p>one<br />two<br>three</p>', 'one\ntwo\nthree'],
    ['spaces at the end of a line', '<p>one <br /> two</p>', 'one \n two'],
    ['two empty lines', '<p>one<br><br>two</p>', 'one\n\ntwo'],
    ['names that no reference has', '<p>&valueOf; &toString; &nosuch;</p>', '&valueOf; &toString; &nosuch;'],
    ['references', '<p>&lt;b&gt; &amp;amp; &quot;&#39;&#x1F600;&hellip;</p>', '<b> &amp; "\'😀…'],
    ['invalid references', '<p>a & b &unknown; &#xD800; &#0;</p>', 'a & b &unknown; \uFFFD \uFFFD'],
    ['signs outside of tags', 'a < b > c <3', 'a < b > c <3'],
    [
      'markup of other programs',
      '<p>a <strong>bold</strong> <em>word</em></p>\n<blockquote>\n<p>quoted</p>\n</blockquote>',
      'a bold word\n\nquoted',
    ],
    ['a list', '<ul>\n<li>one</li>\n<li>two</li>\n</ul>', '- one\n- two'],
    ['code', '<pre><code>a\n  b</code></pre>', 'a\n  b'],
    ['lines of the source', '<p>one\n  two</p>', 'one two'],
    ['a comment', 'a<!-- <p>b</p> -->c', 'ac'],
    ['an unclosed comment', '<p>a<!-- b', 'a'],
    ['scripts and styles', '<script>alert(1)</script><style>p{}</style>a', 'a'],
    ['nothing', '', ''],
    ['plain text', 'plain\ntext', 'plain text'],
  ] as const)('%s', ([, html, text]) => {
    expect(readHtml(html).text).toBe(text);
  });

  test('a link is complete, even if its text is shortened', () => {
    const html =
      '<p>See <a href="https://example.com/a/very/long/way?x=1&amp;y=2" rel="nofollow"><span class="invisible">https://</span><span class="ellipsis">example.com/a/very</span><span class="invisible">/long/way?x=1&amp;y=2</span></a>!</p>';

    expect(readHtml(html)).toMatchObject({
      text: 'See https://example.com/a/very/long/way?x=1&y=2!',
      entities: [{ type: 'url', start: 4, end: 47, url: 'https://example.com/a/very/long/way?x=1&y=2' }],
    });
  });

  test('an address that a bridge has cut is complete', () => {
    const url = 'https://example.com/articles/2026/the-finale';

    const { text, entities } = readHtml(`<p>New: <a href="${url}">example.com/articles/202...</a>, <a href="${url}">my page…</a></p>`);

    expect(text).toBe(`New: ${url}, my page…`);
    expect(entities.map(({ start, end }) => text.slice(start, end))).toEqual([url, 'my page…']);
  });

  test('a mention has the full handle', () => {
    const mention = (url: string, name: string): string =>
      `<span class="h-card" translate="no"><a href="${url}" class="u-url mention">@<span>${name}</span></a></span>`;
    const mentions = [
      { id: '7', username: 'grace', acct: 'grace@far.example', url: 'https://far.example/@grace' },
      { id: '8', username: 'ada', acct: 'ada', url: 'https://social.example/@ada' },
    ];
    const html = `<p>👩‍👩‍👧 ${mention('https://far.example/@grace', 'grace')} and ${mention('https://social.example/@ada', 'ada')}: hi</p>`;

    const { text, entities } = readHtml(html, { mentions });

    expect(text).toBe('👩‍👩‍👧 @grace@far.example and @ada: hi');
    expect(entities.map(({ type, userId, start, end }) => [type, userId, text.slice(start, end)])).toEqual([
      ['mention', '7', '@grace@far.example'],
      ['mention', '8', '@ada'],
    ]);
  });

  test('hashtags and custom emoji are entities', () => {
    const html =
      '<p><a href="https://social.example/tags/chess" class="mention hashtag" rel="tag">#<span>chess</span></a> :blob: :none:</p>';

    const { text, entities } = readHtml(html, { emojis: [{ shortcode: 'blob', url: 'https://files.example/blob.png' }] });

    expect(entities.map(({ type, start, end, url }) => [type, text.slice(start, end), url])).toEqual([
      ['hashtag', '#chess', 'https://social.example/tags/chess'],
      ['emoji', ':blob:', 'https://files.example/blob.png'],
    ]);
  });

  test('the fallback line of a quote is not part of the text', () => {
    const html = '<p class="quote-inline">RE: <a href="https://social.example/@ada/1">social.example/@ada/1</a></p><p>So true</p>';

    expect(readHtml(html)).toMatchObject({ text: 'So true', entities: [], quoteUrl: 'https://social.example/@ada/1' });
  });
});

/** The HTML that Mastodon makes from a text. */
function written(text: string): string {
  const escaped = text.replace(/[&<>"']/gu, (sign) => `&#${sign.charCodeAt(0)};`);
  return escaped
    .split(/\n\n+/u)
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br />')}</p>`)
    .join('');
}

describe('any HTML', () => {
  test('the HTML of a text becomes the same text', () => {
    const word = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n\t\f\v]/gu, ' '));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (lines) => {
        const text = lines
          .join('\n')
          .replace(/\n{3,}/gu, '\n\n')
          .trim();
        expect(readHtml(written(text)).text).toBe(text);
      }),
    );
  });

  test('it is parsed without an error, and every entity is within the text', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '<',
        '>',
        '</',
        '<p>',
        '</p>',
        '<a href="https://a.example">',
        '</a>',
        '<a class="mention" href=x>@b',
        '<br>',
        '<!--',
        '-->',
        '&',
        '&lt;',
        '<pre>',
        '</pre>',
        '<li>',
        '<p class="quote-inline">',
        '"',
        "'",
        '\n',
        '<script>',
        '</script>',
        ':blob:',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const emojis = [{ shortcode: 'blob' }];
        const { text, entities } = readHtml(pieces.join(''), { emojis, mentions: [{ id: '1', username: 'b', acct: 'b@c', url: 'x' }] });
        for (const { start, end } of entities) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: runs(40, 2_000) },
    );
  });

  test('a long hostile text is read fast', () => {
    const workedMs = countProcessorMs();
    for (const evil of ['<', '<a ', '<a href="', '<!--', '&#', '</p', '\n ', '<a x=\'"']) textOfHtml(evil.repeat(20_000));
    expect(workedMs()).toBeLessThan(2000);
  });

  test('an unclosed tag is not text and is read fast', () => {
    const workedMs = countProcessorMs();
    expect(textOfHtml(`b<${'a'.repeat(200_000)}`)).toBe('b');
    expect(workedMs()).toBeLessThan(2000);
  });
});

test.for([
  ['links', '<a href="https://far.example/@ada">@ada</a> ', {}],
  ['emoji', '<a href="https://far.example/tags/a">#a</a> :a: ', { emojis: [{ shortcode: 'a', url: 'https://far.example/a.png' }] }],
] as const)('a huge number of %s is read fast', ([, piece, options]) => {
  const workedMs = countProcessorMs();
  const { entities } = readHtml(piece.repeat(80_000), options);

  expect(workedMs()).toBeLessThan(5_000);
  expect(entities.length).toBeGreaterThanOrEqual(80_000);
});
