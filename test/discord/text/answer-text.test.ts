import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerText } from '#src/discord/text/answer-text.ts';
import { countProcessorMs } from '../../support/processor-time.ts';

test.each([
  ['[Twitch](https://evil.example)', '[Twitch] (https://evil.example)'],
  ['[Twitch](<https://evil.example> "Twitch")', '[Twitch] (<https://evil.example> "Twitch")'],
  ['[a](\nhttps://evil.example)', '[a] (\nhttps://evil.example)'],
  ['[a](h\\ttps://evil.example)', '[a] (h\\ttps://evil.example)'],
  // What Discord takes for no code, whatever it looks like.
  ['# `title\n[a](https://evil.example)`', '# `title\n[a] (https://evil.example)`'],
  ['\\`[a](https://evil.example)`', '\\`[a] (https://evil.example)`'],
  ['<https://a.example/`>[a](https://evil.example)`', '<https://a.example/`>[a] (https://evil.example)`'],
])('a link shows where it leads: %j', (written, shown) => {
  expect(answerText(written)).toBe(shown);
});

test.each(['`handlers[0](event)`', '**bold**, _italic_ and ~~struck~~', '- one\n- two', '```yaml\nid: a\n```', '👩‍👩‍👧 नमस्ते café'])(
  'what lies to nobody stays as it is: %j',
  (text) => {
    expect(answerText(text)).toBe(text);
  },
);

test('nothing turns the text around, towers of marks are cut, and small print is the bot’s own', () => {
  expect(answerText('safe\u202Etxt.exe')).toBe('safetxt.exe');
  expect(answerText(`Z${'\u0300'.repeat(500)}algo`)).toBe(`Z${'\u0300'.repeat(3)}algo`);
  expect(answerText('Fine.\n-# Approved by Ada\n  -# and Grace')).toBe('Fine.\n\\-# Approved by Ada\n\\  -# and Grace');
});

test('no text at all is left with a link that hides where it leads', () => {
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
      // As Discord reads it, without regard to what may be code.
      expect(answerText(pieces.join(''))).not.toMatch(/\]\(\s*<?(?:https:\/\/|\\(?!-#))/u);
    }),
    { numRuns: 2_000 },
  );
});

test('while a text grows, only the end of what is shown changes', () => {
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

test('a text made to be slow is not', () => {
  const workedMs = countProcessorMs();

  answerText(']('.repeat(10_000));

  expect(workedMs()).toBeLessThan(1_000);
});
