import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escaped, oneLine } from '#src/discord/text/foreign-text.ts';

test.for([
  ['@everyone come', '\\@everyone come'],
  ['<@123> <@&4> <#5>', '\\<\\@123\\> \\<\\@&4\\> \\<\\#5\\>'],
  ['[free](https://evil.example)', '\\[free\\]\\(https\\://evil\\.example\\)'],
  ['**bold** _i_ ~~s~~ `c` ||x||', '\\*\\*bold\\*\\* \\_i\\_ \\~\\~s\\~\\~ \\`c\\` \\|\\|x\\|\\|'],
  ['# big\n- list\n> quote', '\\# big \\- list \\> quote'],
  ['back\\slash', 'back\\\\slash'],
] as const)('%j is shown letter for letter', ([text, expected]) => {
  expect(escaped(text, 1000)).toBe(expected);
});

test('what would turn, hide or cover the text around it is taken out', () => {
  const tower = `Z${'\u0351'.repeat(500)}algo`;

  expect(oneLine('a\u202Eb\u2066c\u0007d\u200Be\uFEFFf\r\n\tg', 100)).toBe('abcdef g');
  expect(oneLine(tower, 100)).toBe(`Z${'\u0351'.repeat(3)}algo`);
  expect(oneLine('\uD83D lone', 100)).toBe('\uFFFD lone');
});

test('what people write stays: other scripts, marks, emoji of several people', () => {
  const text = 'Zoë Việt Nam ไทย עברית हिन्दी 👩‍👩‍👧 🏳️‍🌈';

  expect(oneLine(text, 100)).toBe(text.normalize('NFC'));
});

test('a text that is too long is cut between characters, and never in the middle of an escape', () => {
  expect(oneLine('x'.repeat(10_000), 100)).toBe(`${'x'.repeat(99)}…`);
  expect(escaped('*'.repeat(10_000), 10)).toBe('\\*\\*\\*\\*…');
  expect(oneLine('👩‍👩‍👧👩‍👩‍👧', 9)).toBe('👩‍👩‍👧…');
});

test('whatever the text, nothing in it acts, and it fits', () => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom(...Array.from('\\*_~`|[]()<>#@:.+-\n\u202E\u0301')), fc.string({ unit: 'grapheme', maxLength: 1 })),
  });

  fc.assert(
    fc.property(text, fc.integer({ min: 10, max: 60 }), (foreign, max) => {
      const shown = escaped(foreign, max);

      expect(shown.length).toBeLessThanOrEqual(max);
      expect(shown.replaceAll(/\\[\\*_~`|[\]()<>#@:.+-]/gu, '')).not.toMatch(/[\\*_~`|[\]()<>#@:+\n\u202E-]/u);
    }),
  );
});
