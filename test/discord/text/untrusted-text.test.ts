import { expect, test } from 'vitest';
import { answerText, escaped, oneLine } from '#src/discord/text/untrusted-text.ts';
import { countProcessorMs } from '../../support/processor-time.ts';
import { fc } from '../../support/property.ts';

test.for([
  ['@everyone come', '\\@everyone come'],
  ['<@123> <@&4> <#5>', '\\<\\@123\\> \\<\\@&4\\> \\<\\#5\\>'],
  ['[free](https://evil.example)', '\\[free\\]\\(https\\://evil\\.example\\)'],
  ['**bold** _i_ ~~s~~ `c` ||x||', '\\*\\*bold\\*\\* \\_i\\_ \\~\\~s\\~\\~ \\`c\\` \\|\\|x\\|\\|'],
  ['# big\n- list\n> quote', '\\# big \\- list \\> quote'],
  ['back\\slash', 'back\\\\slash'],
] as const)('%j is shown literally', ([text, expected]) => {
  expect(escaped(text, 1000)).toBe(expected);
});

test('characters that turn, hide or cover other text are removed', () => {
  const tower = `Z${'\u0351'.repeat(500)}algo`;

  expect(oneLine('a\u202Eb\u2066c\u0007d\u200Be\uFEFFf\r\n\tg', 100)).toBe('abcdef g');
  expect(oneLine(tower, 100)).toBe(`Z${'\u0351'.repeat(3)}algo`);
  expect(oneLine('\uD83D lone', 100)).toBe('\uFFFD lone');
});

test('scripts, combining marks and joined emoji stay', () => {
  const text = 'Zoë Việt Nam ไทย עברית हिन्दी 👩‍👩‍👧 🏳️‍🌈';

  expect(oneLine(text, 100)).toBe(text.normalize('NFC'));
});

test('a text that is too long is cut between characters, and never in the middle of an escape', () => {
  expect(oneLine('x'.repeat(10_000), 100)).toBe(`${'x'.repeat(99)}…`);
  expect(escaped('*'.repeat(10_000), 10)).toBe('\\*\\*\\*\\*…');
  expect(oneLine('👩‍👩‍👧👩‍👩‍👧', 9)).toBe('👩‍👩‍👧…');
});

test('no part of any text is active, and each text fits', () => {
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

test.each([
  ['[Twitch](https://evil.example)', '[Twitch] (https://evil.example)'],
  ['[Twitch](<https://evil.example> "Twitch")', '[Twitch] (<https://evil.example> "Twitch")'],
  ['[a](\nhttps://evil.example)', '[a] (\nhttps://evil.example)'],
  ['[a](h\\ttps://evil.example)', '[a] (h\\ttps://evil.example)'],
  // Discord does not render these as code.
  ['# `title\n[a](https://evil.example)`', '# `title\n[a] (https://evil.example)`'],
  ['\\`[a](https://evil.example)`', '\\`[a] (https://evil.example)`'],
  ['<https://a.example/`>[a](https://evil.example)`', '<https://a.example/`>[a] (https://evil.example)`'],
])('a link shows its address: %j', (written, shown) => {
  expect(answerText(written)).toBe(shown);
});

test.each(['`handlers[0](event)`', '**bold**, _italic_ and ~~struck~~', '- one\n- two', '```yaml\nid: a\n```', '👩‍👩‍👧 नमस्ते café'])(
  'harmless markup is unchanged: %j',
  (text) => {
    expect(answerText(text)).toBe(text);
  },
);

test('bidirectional controls, stacked marks and small print are removed', () => {
  expect(answerText('safe\u202Etxt.exe')).toBe('safetxt.exe');
  expect(answerText(`Z${'\u0300'.repeat(500)}algo`)).toBe(`Z${'\u0300'.repeat(3)}algo`);
  expect(answerText('Fine.\n-# Approved by Ada\n  -# and Grace')).toBe('Fine.\n\\-# Approved by Ada\n\\  -# and Grace');
});

test('no link hides its address', () => {
  const piece = fc.constantFrom(
    '[',
    ']',
    '(',
    ')',
    '<',
    '>',
    'https://a.example',
    ' ',
    '\n',
    '`',
    '```',
    '\\',
    'text',
    '"',
    ':',
    '#',
    '-#',
    '> ',
  );

  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      // The address as Discord parses it, without regard to code.
      expect(answerText(pieces.join(''))).not.toMatch(/\]\(\s*<?(?:https:\/\/|\\(?!-#))/u);
    }),
    { numRuns: 2_000 },
  );
});

test('if a text grows, only the end of its message changes', () => {
  const text = fc.array(fc.constantFrom('word ', '[a](', 'https://a.example', ') ', '.\n', '-# ', 'Z\u0300\u0300\u0300\u0300 '), {
    maxLength: 60,
  });

  fc.assert(
    fc.property(text, fc.nat(), (pieces, cut) => {
      const early = answerText(pieces.slice(0, cut % (pieces.length + 1)).join(''));
      const late = answerText(pieces.join(''));

      expect(late.slice(0, Math.max(0, early.length - 30))).toBe(early.slice(0, Math.max(0, early.length - 30)));
    }),
  );
});

test.for([
  ['nicht erlaubt („Send Messages is denied in live“)', 40, 'nicht erlaubt („Send Messages is…“)'],
  ['nicht erlaubt („Send Messages is denied in live“)', 60, 'nicht erlaubt („Send Messages is denied in live“)'],
  ['one two three four', 12, 'one two…'],
  ['one two three four', 14, 'one two three…'],
  ['Donaudampfschifffahrt', 10, 'Donaudamp…'],
] as const)('%s in %i characters ends after a whole word and closes its quotation', ([text, max, shown]) => {
  expect(oneLine(text, max)).toBe(shown);
});

test('any text stays within its limit, and a cut one ends with an ellipsis or the end of its quotation', () => {
  const words = fc.array(fc.constantFrom('Send', 'Messages', '„x', 'y“', 'Ä', '„Nachricht“', 'a-very-long-word', '(„z“)'), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(words, fc.integer({ min: 6, max: 80 }), (parts, max) => {
      const text = parts.join(' ');
      const shown = oneLine(text, max);

      expect(shown.length).toBeLessThanOrEqual(max);
      expect(shown === text || /…(?:“\)?)?$/u.test(shown)).toBe(true);
    }),
  );
});

test('crafted texts are fast', () => {
  const workedMs = countProcessorMs();

  answerText(']('.repeat(10_000));

  expect(workedMs()).toBeLessThan(1_000);
});
