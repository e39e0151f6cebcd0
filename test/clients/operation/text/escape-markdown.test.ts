import { fc } from '../../../support/property.ts';
import { describe, expect, test } from 'vitest';
import { runsOf } from '#src/clients/operation/text/links.ts';
import { escapeMarkdown } from '#src/clients/operation/text/escape-markdown.ts';
import { neutral } from '#src/clients/operation/text/sanitize.ts';

describe('foreign text in a message', () => {
  test.each([
    ['*bold* _it_ ~~no~~ `code` ||spoiler||', '\\*bold\\* \\_it\\_ \\~\\~no\\~\\~ \\`code\\` \\|\\|spoiler\\|\\|'],
    ['a \\ b', 'a \\\\ b'],
    ['[click](here)', '\\[click\\]\\(here\\)'],
    ['<@1> <@&2> <#3> <:a:4> <t:5:R>', '\\<@1\\> \\<@&2\\> \\<#3\\> \\<:a:4\\> \\<t:5:R\\>'],
    ['# big', '\\# big'],
    ['  ## big', '  \\## big'],
    ['-# small', '\\-# small'],
    ['- one\n- two', '\\- one\n\\- two'],
    ['+ one', '\\+ one'],
    ['> quote\n>>> all', '\\> quote\n\\>\\>\\> all'],
    ['1. first\n22. last', '1\\. first\n22\\. last'],
    ['we are #1 in C# - 5.2K', 'we are #1 in C# - 5.2K'],
    ['hi @everyone and @Here', 'hi @\u2060everyone and @\u2060Here'],
    ['mail@example.test', 'mail@example.test'],
  ])('%j is shown literally', (text, expected) => {
    expect(escapeMarkdown(text)).toBe(expected);
  });

  test.each([
    ['https://twitch.tv/ada_', 'https://twitch.tv/ada_'],
    ['see https://a.test/b_c*d~e_, now', 'see https://a.test/b_c*d~e_, now'],
    ['(https://a.test/x_y)', '\\(https://a.test/x_y)'],
    ['https://en.test/wiki/Go_(game)', 'https://en.test/wiki/Go_(game)'],
    ['https://a.test/x)[free](https://evil.test', 'https://a.test/x)\\[free\\]\\(https://evil.test'],
    ['[x](https://evil.test/a_b)', '\\[x\\]\\(https://evil.test/a_b)'],
    ['https://a.test/<@1>', 'https://a.test/ \\<@1\\>'],
    ['https://a.test/`x`|y', 'https://a.test/%60x%60%7Cy'],
    ['HTTPS://A.TEST/A_B', 'HTTPS://A.TEST/A_B'],
    ['notahttps link: https:/ x_y', 'notahttps link: https:/ x\\_y'],
  ])('%j keeps its links unchanged', (text, expected) => {
    expect(escapeMarkdown(text)).toBe(expected);
  });

  test('is shown unchanged after Discord has removed the backslashes', () => {
    const sign = fc.constantFrom(...'\\*_~`|[]()<>#+-@. \n1a'.split(''));
    fc.assert(
      fc.property(fc.string({ unit: sign, maxLength: 40 }), (text) => {
        const shown = escapeMarkdown(text)
          .replace(/\\([^0-9A-Za-z\s])/gu, '$1')
          .replaceAll('\u2060', '');

        expect(shown).toBe(text);
      }),
    );
  });

  test('has no unescaped markup character outside of links', () => {
    const text = fc.string({ unit: fc.constantFrom(...'\\*_~`|[]()<> \na'.split(''), 'https://a.test/'), maxLength: 30 });
    fc.assert(
      fc.property(text, (value) => {
        const outside = runsOf(escapeMarkdown(value))
          .filter(({ link }) => !link)
          .map((run) => run.text.replace(/^[)\]]/u, ''))
          .join('')
          .replace(/\\[^0-9A-Za-z\s]/gu, '');

        expect(outside).not.toMatch(/[\\*_~`|[(<]/u);
      }),
    );
  });
});

describe('neutral text', () => {
  test.each([
    ['a\u202Eb\u2066c', 'abc'],
    ['a\u0000\u0007\u001B[31mb\u009F', 'a[31mb'],
    ['one\r\ntwo\u2028three\tfour', 'one\ntwo\nthree\tfour'],
    ['\uFEFFa', 'a'],
    ['a\uD800b', 'a\uFFFDb'],
    ['שלום \u200F! 👩‍👩‍👧 é', 'שלום \u200F! 👩‍👩‍👧 é'],
  ])('%j has no control characters', (text, expected) => {
    expect(neutral(text)).toBe(expected);
  });
});
