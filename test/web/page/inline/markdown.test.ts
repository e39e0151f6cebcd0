import { fc } from '../../../support/property.ts';
import { expect, test } from 'vitest';
import { markdown, unlinkedMarkdown } from '#src/web/page/inline/markdown.ts';
import { countProcessorMs } from '../../../support/processor-time.ts';

const rest = 'target="_blank" rel="noopener noreferrer"';

test.for([
  ['**bold** and *slanted* and _slanted_', '<strong>bold</strong> and <em>slanted</em> and <em>slanted</em>'],
  ['__under__ ~~gone~~', '<u>under</u> <s>gone</s>'],
  ['**all _of_ it**', '<strong>all <em>of</em> it</strong>'],
  ['**one** then **two**', '<strong>one</strong> then <strong>two</strong>'],
  ['`**not bold**`', '<code>**not bold**</code>'],
  ['```ts\nlet a = 1;```', '<pre><code>let a = 1;</code></pre>'],
  ['a\\_b\\*c\\*', 'a_b*c*'],
  ['**a\\*\\*b**', '<strong>a**b</strong>'],
  ['snake_case_name', 'snake_case_name'],
  ['2 * 3 * 4', '2 * 3 * 4'],
  ['||hidden||', '<span class="spoiler" tabindex="0">hidden</span>'],
  ['<@123> <@!123> <@&4> <#5>', ['@user', '@user', '@role', '#channel'].map((name) => `<span class="mention">${name}</span>`).join(' ')],
  ['<t:1763661600:R>', '<time datetime="2025-11-20T18:00:00.000Z" title="20 Nov 2025, 18:00:00 UTC">20 Nov, 18:00 UTC</time>'],
  ['[here](https://a.test/b)', `<a href="https://a.test/b" ${rest}>here</a>`],
  ['see https://a.test/b.', `see <a href="https://a.test/b" ${rest}>https://a.test/b</a>.`],
  ['<https://a.test/b>', `<a href="https://a.test/b" ${rest}>https://a.test/b</a>`],
  ['[x](javascript:alert(1))', '[x](javascript:alert(1))'],
  ['<b>&amp;</b>', '&lt;b&gt;&amp;amp;&lt;/b&gt;'],
  ['**open', '**open'],
  ['asked\n-# **yes**, says <@1>', 'asked\n<small><strong>yes</strong>, says <span class="mention">@user</span></small>'],
  ['a -# b', 'a -# b'],
] as const)('%s looks as in Discord', async ([text, shown]) => {
  expect(String(await markdown(text))).toBe(shown);
});

test('a link contains no link', async () => {
  expect(String(await markdown('[https://a.test](https://b.test)'))).toBe(`<a href="https://b.test/" ${rest}>https://a.test</a>`);
  expect(String(await unlinkedMarkdown('**see** https://a.test'))).toBe('<strong>see</strong> https://a.test');
});

test('no text adds a tag, an attribute or an address', async () => {
  const piece = fc.constantFrom(
    '**',
    '*',
    '_',
    '__',
    '~~',
    '||',
    '`',
    '```',
    '\\',
    '[',
    '](',
    ')',
    '<',
    '>',
    '"',
    "'",
    '&',
    'https://a.test/',
    'javascript:',
    'x',
    ' ',
    '\n',
    '<script>',
    ' onload=',
  );
  const allowed =
    /^<(?:\/(?:strong|em|u|s|code|pre|span|a|time)|strong|em|u|s|code|pre|span class="spoiler" tabindex="0"|a href="https:\/\/a\.test\/[^"<>]*" target="_blank" rel="noopener noreferrer")>$/;

  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
      const shown = String(await markdown(pieces.join('')));

      const tags = shown.match(/<[^>]*>?/g) ?? [];
      expect(tags.filter((tag) => !allowed.test(tag))).toEqual([]);
    }),
  );
});

test('no letter of the text is lost', async () => {
  const characters = fc.constantFrom('*', '_', '~', '|', '[', ']', '(', ')', '<', 'a', 'b', ' ');

  await fc.assert(
    fc.asyncProperty(fc.string({ unit: characters, maxLength: 60 }), async (text) => {
      const words = String(await markdown(text))
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll('&lt;', '<');

      expect(words.replaceAll(/[^ab]/g, '')).toBe(text.replaceAll(/[^ab]/g, ''));
    }),
  );
});

test.for(['**', '*', '_', '[', '||', '`', '\\', '**_', '<', 'https://'])(
  'the longest message, made of %s, is shown at once',
  async (piece) => {
    const text = piece.repeat(4096 / piece.length);

    const workedMs = countProcessorMs();
    await markdown(text);

    expect(workedMs()).toBeLessThan(1000);
  },
);
