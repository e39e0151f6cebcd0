import { describe, expect, test } from 'vitest';
import { plainValue } from '#src/rules/document/plain-value.ts';
import { readDocument } from '#src/rules/document/read-document.ts';
import { Report } from '#src/rules/document/report.ts';

function diagnosticsOf(source: string): readonly string[] {
  const report = new Report('x.yaml', source);
  readDocument(source, report);
  return report.diagnostics.map(
    ({ line, column, message, hint }) => `${line}:${column} ${message}${hint === undefined ? '' : ` (${hint})`}`,
  );
}

function valueOf(source: string): unknown {
  const document = readDocument(source, new Report('x.yaml', source));
  return document && plainValue(document, [], { kind: 'anything' });
}

describe('a file with invalid YAML', () => {
  test.each([
    ['text: @ada', '1:7 invalid YAML: plain value cannot start with reserved character @ (put quotes around the value: text: "@ada")'],
    [
      '- text: `x` "y"',
      '1:9 invalid YAML: plain value cannot start with reserved character ` (put quotes around the value: text: \'`x` "y"\')',
    ],
    [
      'text: ${{ a }}: b',
      '1:7 YAML reads text that contains ": " as a key and its value (put quotes around the value: text: "${{ a }}: b")',
    ],
    ['if: "a" == x', '1:9 invalid YAML: unexpected scalar at node end (put quotes around the value: if: \'"a" == x\')'],
    ['if: !x', '1:5 invalid YAML: unresolved tag: !x (put quotes around the value: if: "!x")'],
    ['with: { text: ${{ a }} }', '1:16 an expression in { } or [ ] needs quotes (write "${{ … }}")'],
    ['a: !!str 5', '1:10 YAML tags are not supported: tag:yaml.org,2002:str (put quotes around text that starts with !)'],
    ['text: **bold**', '1:7 * at the start of a value has a special meaning in YAML (put quotes around the value: text: "**bold**")'],
    [
      'text: **${{ item.title }}** is live',
      '1:7 * at the start of a value has a special meaning in YAML (put quotes around the value: text: "**${{ item.title }}** is live")',
    ],
    ['text: *${{ a }}* # bold', '1:7 * at the start of a value has a special meaning in YAML (put quotes around the text)'],
    ['with: { text: **${{ a }}** }', '1:15 * at the start of a value has a special meaning in YAML (put quotes around the text)'],
    ['with: { text: **bold** }', '1:15 unknown anchor &*bold** (put quotes around text that starts with *)'],
    [
      'text: [LIVE] ${{ a }}',
      '1:7 [ at the start of a value has a special meaning in YAML (put quotes around the value: text: "[LIVE] ${{ a }}")',
    ],
    ["text: 'It's live: ${{ a }}'", '1:10 this \' ends the text, but more text follows (write text: "It\'s live: ${{ a }}")'],
    ["text: 'It's live' # why", '1:10 this \' ends the text, but more text follows (write text: "It\'s live")'],
    ['text: "He said "hi" twice"', '1:16 this " ends the text, but more text follows (write text: \'He said "hi" twice\')'],
    ['text: "She\'s \\"here\\" "now""', '1:23 this " ends the text, but more text follows (write text: \'She\'\'s "here" "now"\')'],
    ['text: "one\\n"two""', '1:13 this " ends the text, but more text follows (write \\" for a quote in the text)'],
    ['text: "Hi" there', '1:10 this " ends the text, but more text follows (write text: \'"Hi" there\')'],
    [
      'a: "\\d"',
      '1:5 invalid YAML: invalid escape sequence \\d (in double quotes, write \\\\ for a backslash; in single quotes, write \\)',
    ],
    ['a: 1\nb: 2\na: 3', '3:1 a appears twice (remove one of them)'],
    ['a:\n  - { b: 1, b: 2 }', '2:13 b appears twice (remove one of them)'],
    ['? [a]\n: b', '1:3 a key must be text (write the key as one word)'],
    ['a: 1\n---\nb: 2', '2:1 a file can contain only one rule, and --- starts another (write each rule in a separate file)'],
    ['\ta: 1', '1:1 the line is indented with a tab (use spaces)'],
    ['a: 1\nb: [1, 2', '2:4 the list is not closed: ] is missing'],
    ['a: { b: 1\nc: 2', '1:4 the map is not closed: } is missing'],
    ['a: "b', '1:4 the quotes are not closed (add the closing quote)'],
    ['a:\n  b: 1m\n   c: x', '3:4 wrong indentation (start the line with 2 spaces, like b)'],
    ['a:\n  b: 1\n c: x', '3:2 wrong indentation (start the line with 2 spaces, like b)'],
    ['a:\n  b: >\n    one\n   two\nc: 1', '4:4 wrong indentation (start the line with 4 spaces, like the text above)'],
    ['then:\n  -\tdo: x\n    with: { a: b }', '2:4 the line is indented with a tab (use spaces)'],
    ['a: 1\n b:\n  c: 1', '2:2 wrong indentation (start the line with no space, like a)'],
    ['then:\n  - do: x\n  with: 1', '3:3 wrong indentation (start the line with 4 spaces, like do)'],
    ['then:\n    - { do: x }\n  - wait: 1m', '3:3 wrong indentation (start the line with 4 spaces, like the element above)'],
    ['  id: a\nwhen: x', '1:3 wrong indentation (start the line with no space, like the other keys of the rule)'],
    ['then:\n  - do: x\n   - do: y', '3:4 wrong indentation (start the line with 2 spaces, like - do)'],
    ['a: {{ item.title }}', '1:4 YAML reads {{ as the start of two maps (write "${{ … }}", in quotes, to evaluate it)'],
    ['a: { b: {{ c }} }', '1:9 YAML reads {{ as the start of two maps (write "${{ … }}", in quotes, to evaluate it)'],
    ['a: { b: Top #1 }', '1:13 the comment hides the closing } (" #" starts a comment: put quotes around the text: "Top #1")'],
    [
      'then:\n  - do: x\n    with: { a: live, b: Top #1 }\n  - do: y\n    with: { a: live }\nwhile:\n  - do: z',
      '3:29 the comment hides the closing } (" #" starts a comment: put quotes around the text: "Top #1")',
    ],
    ['a: { b: #c, d: 1 }\ne: 1', '1:9 the comment hides the closing } (" #" starts a comment: put quotes around the text: "#c")'],
    ['a: [one #2]\nb: 1', '1:9 the comment hides the closing ] (" #" starts a comment: put quotes around the text: "one #2")'],
    ['a: { b: "Top #1 }"\nc: 2', '1:4 the map is not closed: } is missing'],
    [
      'when:\n  with: { game: ${{ each.on }} }\nthen:\n  - do: x\n    with: { a: "b" }',
      '2:18 an expression in { } or [ ] needs quotes (write "${{ … }}")',
    ],
    ['a: 1\n}\nb: { c', '2:1 invalid YAML: unexpected flow-map-end token in YAML stream: "}" (put quotes around the text)'],
    ['then:\n  - wait: 1h\n    - do: x\n      with: { a: b }', '3:5 wrong indentation (start the line with 2 spaces, like - wait)'],
    ['a: { b: To you, too. }', '1:17 too. has no value (put quotes around text that contains a comma)'],
    ['a: { b:c, d: 1 }', '1:6 b:c has no value (write a space after the colon: b: c)'],
    ['a:\n  every:5m\n  b: c', '2:3 a space is missing (write a space after the colon: every: 5m)'],
    ['a: { b:#f0f, d: 1 }', '1:6 b:#f0f has no value (write a space after the colon: b: "#f0f")'],
    ['a:\n  color:#f0f\n  b: c', '2:3 a space is missing (write a space after the colon: color: "#f0f")'],
    ['a:\n  color:\u00a0#f0f\n  b: c', '2:9 the line has a character that only looks like a space (write it with a space: color: "#f0f")'],
    ['a:b\nc: 1', '1:1 a space is missing (write a space after the colon: a: b)'],
    ['a:\n  -do: x\n   with: 1', '2:3 a space is missing (write a space after the dash: - do: x)'],
    ['a:\n  b:\n    - c\n  -d\n', '4:3 a space is missing (write a space after the dash: - d)'],
    ['a:\n  b: |\n  Ada is live\n  come watch', '3:3 the text below | is not indented (start each of its lines with 4 spaces)'],
    ['a:\n  b: >-\n  "Ada"\n  come watch', '3:3 the text below > is not indented (start each of its lines with 4 spaces)'],
    ['a: > b c', '1:4 the text of > starts on the next line (put the text on the next line, and indent it, or write a: "b c")'],
    [
      `a: { b: 'it's live' }`,
      "1:12 this ' ends the text, but more text follows (put double quotes around the whole text, or write '' inside)",
    ],
    [
      'a: { b: "say "hi" to ada" }',
      '1:14 this " ends the text, but more text follows (put single quotes around the whole text, or write \\" inside)',
    ],
    ['a: { b: "${{ c + "!" }}" }', '1:18 this " ends the text, but more text follows (use single quotes inside ${{ }})'],
    ['a: { b: "${{ join(c, ", ") }}" }', '1:25 this " ends the text, but more text follows (use single quotes inside ${{ }})'],
    ['a: { b: ["${{ c.orValue("d") }}"] }', '1:25 this " ends the text, but more text follows (use single quotes inside ${{ }})'],
    ['if: "a == "b""', `1:11 this " ends the text, but more text follows (write if: 'a == "b"')`],
    ["if: 'a == 'b''", `1:11 this ' ends the text, but more text follows (write if: "a == 'b'")`],
    ['null: 1', '1:1 a key must be text (put quotes around it: "null")'],
    ['a: { b: 1, c }', '1:12 c has no value (put quotes around text that contains a comma)'],
    ['id a\nwhen:\n  b: c', '1:1 a colon is missing (write id: a)'],
    ['id: a\nwhen:\n  every 1m\n  watch: x\nthen: 1', '3:3 a colon is missing (write every: 1m)'],
    ['id: a\nwhen:\n  watch: x\n  every 1m\nthen: 1', '4:3 a colon is missing (write every: 1m)'],
    ['id: a\nthen\n  - do: x', '2:1 a colon is missing (write then:)'],
    ['id: a\nwhen\n  every: 10s\n  watch: x\nthen: 1', '2:1 a colon is missing (write when:)'],
    ['id: a\nwhen:\n  every = 1m\n  watch: x\nthen: 1', '3:3 a colon is missing (write every: 1m)'],
    ['when:\n  every=1m\n  watch: x', '2:3 a colon is missing (write every: 1m)'],
    ['with: { game Chess }', '1:9 a colon is missing (write game: Chess)'],
    ['with: { text = "hi" }', '1:9 a colon is missing (write text: "hi")'],
    ['with: { text: Hello, dear all }', '1:22 dear all has no value (put quotes around text that contains a comma)'],
    ['then:\n  - do x\n    with: 1', '2:5 a colon is missing (write do: x)'],
    ['then:\n  - do： x\n    with: 1', '2:7 the line has a character that only looks like a colon (write it with a colon: do: x)'],
    ['id: a\nwhen：\n  every: 10s\nthen: 1', '2:5 the line has a character that only looks like a colon (write it with a colon: when:)'],
    ['```yaml\nid: a\nwhen:\n  b: c\n```\n', '1:1 ``` belongs to a Markdown text (delete the lines that start with ```)'],
    ['id: a\nwhen:\n  b: c\n```', '4:1 ``` belongs to a Markdown text (delete the lines that start with ```)'],
    [
      'when:\n\u{a0}\u{a0}every: 1m\n\u{a0}\u{a0}with:\n    a: b',
      '2:1 the line is indented with a character that only looks like a space (use spaces)',
    ],
    ['a:\n  b:\u{a0}live\n  c: d', '2:5 the line has a character that only looks like a space (write it with a space: b: live)'],
    ['when: { a: b }\u{a0}\nc: d', '1:15 the line has a character that only looks like a space (write a space)'],
    ['then:\u{a0}\n  - do: x', '1:6 the line has a character that only looks like a space (write a space)'],
    ['a: { b:\u{a0}c }', '1:6 b:\u{a0}c has no value (replace the character that only looks like a space: b: c)'],
    ['id: a\n\u{feff}when: b', '2:1 the line begins with an invisible character (delete it)'],
    ['then:\n\u{a0} - do: x', '2:1 the line is indented with a character that only looks like a space (use spaces)'],
    ['then:\n  – do: x\n    with: 1', '2:3 the line has a character that only looks like a hyphen (write it with a hyphen: - do: x)'],
    ['id: a\nabout: b\u{0}c', '2:9 the file has the control character U+0000 (delete it)'],
    ['', '1:1 the file is empty (a rule starts with its id)'],
    ['# only a comment', '1:1 the file is empty (a rule starts with its id)'],
    [`a: ${'x'.repeat(70_000)}`, '1:1 the file is too large: a rule can have at most 65536 characters'],
  ])('%j', (source, expected) => {
    expect(diagnosticsOf(source)).toEqual([expected]);
  });

  test('may have any spaces and signs in a text', () => {
    expect(diagnosticsOf('a: |\n  x\n\n  \u{a0}- y: z\n  ```\nb: "x\n  \u{a0}y: z"')).toEqual([]);
  });

  test('has one diagnostic for each wrong line', () => {
    const diagnostics = diagnosticsOf('a: @x: !y\nb: `z\nc: 1\nc: 2');

    expect(diagnostics.map((diagnostic) => diagnostic.split(' ')[0])).toEqual(['1:4', '2:4', '4:1']);
  });

  test('leaves the stacks of later errors as they were', () => {
    const { stackTraceLimit } = Error;

    expect(diagnosticsOf(`a: ${'"'.repeat(9_999)}`)).toHaveLength(1);
    expect(diagnosticsOf(`[${'a: '.repeat(9_000)}]`).length).toBeGreaterThan(0);
    expect(Error.stackTraceLimit).toBe(stackTraceLimit);
  });

  test('may have any nesting', () => {
    expect(diagnosticsOf('['.repeat(20_000)).length).toBeGreaterThan(0);
    expect(diagnosticsOf(`a: ${'{b: '.repeat(8_000)}`).length).toBeGreaterThan(0);
  });

  test('may have any number of aliases', () => {
    const bomb = ['a: &a [1, 1, 1]', ...Array.from({ length: 5_000 }, (_, i) => `b${i}: *a`)].join('\n');

    expect(diagnosticsOf(bomb)).toEqual([expect.stringContaining('a file can have at most 100 aliases')]);
  });

  test('is too large if its aliases multiply', () => {
    const levels = Array.from('bcdefgh', (name, i) => `${name}: &${name} [${`*${'abcdefgh'[i]}, `.repeat(9)}]`);

    expect(() => valueOf(['a: &a [1, 1, 1]', ...levels].join('\n'))).toThrow(Error);
  });

  test('is too large if an alias contains itself', () => {
    expect(() => valueOf('a: &a [1, *a]')).toThrow(Error);
  });
});

describe('the values of a file', () => {
  test.each([
    ['a: 2048\nb: 0x10\nc: 1e3\nd: true\ne: ~\nf: no', { a: 2048, b: 16, c: 1000, d: true, e: null, f: 'no' }],
    ['a: 12345678901234567890', { a: '12345678901234567890' }],
    ['a: &x { b: 1 }\nc: *x', { a: { b: 1 }, c: { b: 1 } }],
    ['1: one\ntrue: yes', { 1: 'one', true: 'yes' }],
    ['[a, [b]]', ['a', ['b']]],
  ])('%j', (source, expected) => {
    expect(valueOf(source)).toEqual(expected);
  });

  test('can have any keys', () => {
    const value = valueOf('__proto__: { polluted: true }\nconstructor: 1');

    expect(Object.keys(value ?? {})).toEqual(['__proto__', 'constructor']);
    expect({}).not.toHaveProperty('polluted');
  });

  test('are text as written if text is expected', () => {
    const source = 'a: 0x10\nb: 007\nc: 1.50\nd: |\n  line\n';
    const document = readDocument(source, new Report('x.yaml', source));
    const text = { shape: { kind: 'text' }, optional: false } as const;

    const value = document && plainValue(document, [], { kind: 'record', fields: new Map(['a', 'b', 'c', 'd'].map((key) => [key, text])) });

    expect(value).toEqual({ a: '0x10', b: '007', c: '1.50', d: 'line' });
  });
});

describe('a text with too much structure', () => {
  test.for([
    ['brackets on one line', '['.repeat(40_000), '1:51'],
    ['brackets on lines of their own', `a: [\n${'[\n'.repeat(20_000)}`, '51:1'],
    ['maps', '{a: '.repeat(10_000), '1:201'],
    ['lists on one line', '- '.repeat(20_000), '1:101'],
    ['anchored lists', '&a ['.repeat(10_000), '1:204'],
  ] as const)('%s are found before the parser reads them', ([, source, where]) => {
    expect(diagnosticsOf(source)).toEqual([`${where} lists and maps are nested too deeply`]);
  });

  test('keys behind keys in brackets are refused', () => {
    expect(diagnosticsOf(`a: [${'b: '.repeat(6_000)}]`)).toEqual(['1:1 lists and maps are nested too deeply']);
  });

  test.for([
    ['commas', `a: [${','.repeat(60_000)}]`],
    ['ends', '}'.repeat(40_000)],
    ['keys', 'a:\n'.repeat(20_000)],
  ] as const)('too many %s are found before the parser reads them', ([, source]) => {
    expect(diagnosticsOf(source)).toEqual([expect.stringMatching(/^\d+:\d+ too many lists, maps and keys for a rule$/)]);
  });

  test.for([
    ['quotes', `a: "${'['.repeat(60_000)}"`],
    ['a block', `a: |\n  ${'[ { - '.repeat(9_000)}`],
    ['a comment', `a: 1 # ${'['.repeat(60_000)}`],
    ['many lists that end', `a:\n${'  - [[[[1]]]]\n'.repeat(1_000)}`],
    ['as many levels as there may be', `a: ${'['.repeat(48)}${']'.repeat(48)}`],
  ] as const)('brackets in %s do not count', ([, source]) => {
    expect(diagnosticsOf(source)).toEqual([]);
  });
});
