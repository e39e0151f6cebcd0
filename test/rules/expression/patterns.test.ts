import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { fc } from '../../support/property.ts';
import { check } from '../../support/rule-language.ts';
import { refusalOf, valueOf } from './fixture.ts';

/** The diagnostics of a rule with this line in `when`. */
function diagnosticsOf(where: string): readonly unknown[] {
  const source = `id: r
when:
  every: 1m
  watch: streaming.getStreams
  with: { users: [ada] }
  where: ${where}
then: [{ do: discord.send, with: { channel: live, content: hi } }]
`;
  return check(source).diagnostics.map(({ severity, column, message, hint }) => [severity, column, message, hint]);
}

test.for([
  [
    String.raw`"!rx(item.title, '(?i)\\b(rerun|rebroadcast)\\b')"`,
    27,
    String.raw`the pattern has a control character where you wrote \b`,
    String.raw`put r before the quotes: r'(?i)\b(rerun|rebroadcast)\b'`,
  ],
  [
    String.raw`'rx(item.title, "\\d+\bx" )'`,
    26,
    String.raw`the pattern has a control character where you wrote \b`,
    String.raw`put r before the quotes: r"\d+\bx"`,
  ],
  [
    String.raw`"rx(item.title, r'\bx')"`,
    26,
    String.raw`YAML made a control character of \b`,
    String.raw`write r'\\bx' in a value in double quotes, or start the value with | on a separate line`,
  ],
] as const)('a control character in a pattern is an error: %s', ([where, column, message, hint]) => {
  expect(diagnosticsOf(where)).toEqual([['error', column, message, hint]]);
});

test.for([
  [String.raw`rx(item.title, "\d+")`, String.raw`invalid escape sequence: \d (in a pattern, write r"…", else \\ for a backslash)`],
  [String.raw`"C:\Users"`, String.raw`invalid Unicode escape: \Users (in a pattern, write r"…", else \\ for a backslash)`],
])('a backslash that escapes nothing has a remedy: %s', ([source = '', refusal = '']) => {
  expect(refusalOf(source)).toContain(refusal);
});

test.for([
  [`rx(item.title, "/speedrun/i")`, 'this pattern searches for the slashes too', 'write "(?i)speedrun"'],
  [`rx(item.title, '/speedrun/')`, 'this pattern searches for the slashes too', `write 'speedrun'`],
  [`rx(item.title, "speedrun|")`, 'this pattern matches every text', 'remove the empty alternative'],
  [`rx(item.title, "(|speedrun)")`, 'this pattern matches every text', 'remove the empty alternative'],
  [`rx(item.title, "(?i)")`, 'this pattern matches every text', 'write a pattern that needs at least one character'],
  [`rx(item.title, "[a-z]*")`, 'this pattern matches every text', 'write a pattern that needs at least one character'],
  ...['übung', 'Gruß', 'rerun|übung'].map(
    (word) =>
      [
        String.raw`rx(item.title, r"(?i)\b(${word})\b")`,
        String.raw`this pattern does not find the word ${word.replace('rerun|', '')}, because \b knows only the letters a to z`,
        String.raw`write (^|\P{L}) instead of \b before the word, and (\P{L}|$) behind it`,
      ] as const,
  ),
] as const)('a pattern that does not do what it seems to is a warning: %s', ([where, message, hint]) => {
  expect(diagnosticsOf(where)).toEqual([['warning', 25, message, hint]]);
});

test.for([
  String.raw`rx(item.title, r"\bx\b")`,
  String.raw`"rx(item.title, r'\\bx')"`,
  String.raw`rx(item.title, "a\tb\n")`,
  'rx(item.title, "^$")',
  'rx(item.title, "^(a|b)?$")',
  'rx(item.url, "/videos/")',
  'rx(item.title, "18/7")',
])('a pattern that does what it seems to has no diagnostic: %s', (where) => {
  expect(diagnosticsOf(where)).toEqual([]);
});

test('a pattern that is reported to match every text does so', () => {
  const part = fc.constantFrom(
    'a',
    '[^a]',
    '.',
    '^',
    '$',
    String.raw`\b`,
    String.raw`\B`,
    '(',
    ')',
    '|',
    '*',
    '?',
    '+',
    '(?m)',
    String.raw`\A`,
    String.raw`\z`,
  );
  const pattern = fc.array(part, { maxLength: 5 }).map((parts) => parts.join(''));
  const texts = ['', 'a', 'b', ' ', 'ab', '\n', 'a\nb', ' a b '];
  fc.assert(
    fc.property(pattern, (source) => {
      fc.pre(isPattern(source));
      const expression = `rx(item.title, r"${source}")`;
      const isReported = diagnosticsOf(`'${expression}'`).length > 0;
      expect(isReported && texts.some((title) => valueOf(expression, { item: { title } }) === false)).toBe(false);
    }),
  );
});

function isPattern(source: string): boolean {
  try {
    RE2JS.compile(source);
    return true;
  } catch {
    return false;
  }
}

test('a pattern finds words with umlauts if b is not beside them, or as the hint writes it', () => {
  expect(diagnosticsOf(String.raw`rx(item.title, r"(?i)\bmünchen\b|\bgrüße\b")`)).toEqual([]);
  expect(diagnosticsOf(String.raw`rx(item.title, r"(?i)(^|\P{L})übung(\P{L}|$)")`)).toEqual([]);
  expect(valueOf(String.raw`rx("Eine Übung!", r"(?i)(^|\P{L})übung(\P{L}|$)")`)).toBe(true);
  expect(valueOf(String.raw`rx("Vorübung", r"(?i)(^|\P{L})übung(\P{L}|$)")`)).toBe(false);
});
