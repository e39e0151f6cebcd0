import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { formatDiagnostic, type Diagnostic } from '#src/rules/diagnostic.ts';
import { columnsOf } from '#src/rules/messages/wrap.ts';

const diagnostic: Diagnostic = {
  severity: 'error',
  code: 'expression',
  file: 'rules/live.yaml',
  line: 12,
  column: 5,
  path: 'then[0].with.text',
  message: 'item has no titel',
  hint: 'did you mean title?',
  excerpt: '    text: "${{ item.titel }}"',
};

describe('a printed diagnostic', () => {
  test('has its location, its line and its hint', () => {
    expect(formatDiagnostic(diagnostic, { color: false })).toBe(
      [
        'rules/live.yaml:12:5 error then[0].with.text: item has no titel',
        '12 |     text: "${{ item.titel }}"',
        '         ^',
        '     did you mean title?',
      ].join('\n'),
    );
  });

  test.for([
    ['a line that is longer than the terminal', `    text: "${'a'.repeat(60)} \${{ item.titel }} ${'b'.repeat(40)}"`],
    ['characters of two columns', '    text: "日本語 日本語 日本語 ${{ item.titel }}"'],
    ['composed emoji', '    text: "👨‍👩‍👧 ${{ item.titel }}"'],
  ] as const)('points to its column in %s', ([, excerpt]) => {
    const column = excerpt.indexOf('titel') + 1;

    const [, line = '', caretLine = ''] = formatDiagnostic(
      { ...diagnostic, path: '', column, excerpt },
      { color: false, columns: 60 },
    ).split('\n');

    expect(columnsOf(line)).toBeLessThanOrEqual(60);
    expect(columnsOf(line.slice(0, line.indexOf('titel')))).toBe(caretLine.indexOf('^'));
  });

  test('is broken at spaces in a narrow terminal', () => {
    const printed = formatDiagnostic(
      { ...diagnostic, message: 'this message is longer than the terminal is wide' },
      { color: true, columns: 50 },
    );

    expect(stripVTControlCharacters(printed).split('\n').slice(0, 2)).toEqual([
      'rules/live.yaml:12:5 error then[0].with.text: this',
      '     message is longer than the terminal is wide',
    ]);
  });

  test('has no excerpt if the file cannot be read', () => {
    const printed = formatDiagnostic({ ...diagnostic, path: '', excerpt: '', message: 'the file cannot be read' }, { color: false });

    expect(printed.split('\n')).toEqual(['rules/live.yaml:12:5 error the file cannot be read', '     did you mean title?']);
  });

  test('has no path if it is about the whole file', () => {
    const printed = formatDiagnostic({ ...diagnostic, path: '', hint: undefined, severity: 'warning' }, { color: false });

    expect(printed.split('\n')).toEqual(['rules/live.yaml:12:5 warning item has no titel', expect.any(String), '         ^']);
  });

  test('has the same text with and without color', () => {
    const printed = formatDiagnostic(diagnostic, { color: true });

    expect(printed).toContain('\u001B[31merror\u001B[0m');
    expect(stripVTControlCharacters(printed)).toBe(formatDiagnostic(diagnostic, { color: false }));
  });

  test('has the part of a long line around its column', () => {
    const [, line = '', caretLine = ''] = formatDiagnostic(
      { ...diagnostic, column: 500, excerpt: `${'a'.repeat(499)}X${'b'.repeat(500)}` },
      { color: false },
    ).split('\n');

    expect(line.length).toBeLessThan(140);
    expect(line[caretLine.indexOf('^')]).toBe('X');
  });

  test('has no control characters', () => {
    const printed = formatDiagnostic(
      { ...diagnostic, message: 'a\u001B[2Jb', excerpt: '\t\u001B]0;x\u0007y', column: 2 },
      { color: false },
    );

    expect(printed.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(printed.split('\n').slice(1, 3)).toEqual(['12 |  \uFFFD]0;x\uFFFDy', '      ^']);
  });
});
