import { codePoint, fc, webUrl } from '../../support/property.ts';

/** Titles, names and posts that try to break out of their place. */
export const HOSTILE = [
  '@everyone @here <@&1202584131993600003> <@1202584131993600001> <#1202584131993600004> </live:1>',
  '[free](https://evil.example) [x]( https://evil.example ) <https://evil.example> [a](<https://evil.example>)',
  '**bold** __under__ ~~gone~~ ||hidden|| `code` ```block``` > quote\n# heading\n- item\n1. one\n-# small',
  '\u202Egnp.exe \u2066\u2067\u2069 \u200F\u200E\uFEFF',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͚̯̞̠͍̉a̸̢̛̝̹͍̮͎̬͚̦̼͌̈́̀̏̿́̕͠lgo',
  '*'.repeat(10_000),
  'a'.repeat(10_000),
  '🏳️‍🌈'.repeat(2_000),
  '](x'.repeat(3_000),
  'https://example.org/'.repeat(500),
  `https://example.org/${'x'.repeat(9_000)}`,
  `${'\\'.repeat(301)}[x](https://evil.example)`,
  '\n\n\n\n@everyone\n\n\n',
  ' \t\u200B\u2060\u00AD ',
  '',
  '\u0000\u0007\u001B[31m',
  '\uD800 half \uDC00',
  '<t:0:R> :smile: <:a:1202584131993600003>',
];

/** Hostile text. */
export const foreignText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.string({ unit: codePoint, maxLength: 300 }),
  fc
    .array(
      fc.constantFrom('[', ']', '(', ')', '<', '>', '@', '#', '\\', '`', '*', '_', '|', '~', ' ', '\n', 'a', 'everyone', 'https://x.io'),
      {
        maxLength: 200,
      },
    )
    .map((parts) => parts.join('')),
);

/** Valid and invalid addresses. */
export const foreignAddress: fc.Arbitrary<string | undefined> = fc.option(
  fc.oneof(
    webUrl,
    fc.constantFrom(
      'javascript:alert(1)',
      'attachment://x.png',
      'discord://-/channels',
      'https://x.example/)[y](https://evil.example',
      `https://x.example/${'y'.repeat(3_000)}`,
      'https://x.example/ space "quote"',
      'nonsense',
      '',
    ),
  ),
  { nil: undefined },
);
