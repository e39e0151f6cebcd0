import { expect, test } from 'vitest';
import { columnsOf, wrap } from '#src/rules/messages/wrap.ts';

test.for([
  ['abc', 3],
  ['\u001B[31mred\u001B[39m', 3],
  ['日本語', 6],
  ['🎉 שלום', 7],
  ['👨‍👩‍👧', 2],
  ['é', 1],
  ['▶️', 2],
] as const)('%j takes %d columns', ([text, columns]) => {
  expect(columnsOf(text)).toBe(columns);
});

test.for([
  ['the text of a pipe', 'one two three four five six seven', undefined, 0, ['one two three four five six seven']],
  ['a short line', 'one two', 30, 5, ['one two']],
  ['a row', 'id  on   one two three four five six', 33, 9, ['id  on   one two three four five', '         six']],
  ['a row with a wide first column', `${'i'.repeat(40)}  one two three`, 50, 42, [`${'i'.repeat(40)}  one two`, '    three']],
  ['a long word', `see https://example.test/${'a'.repeat(30)} now`, 30, 2, ['see', `  https://example.test/${'a'.repeat(30)}`, '  now']],
  ['wide characters', '日本語 日本語 日本語 日本語 日本語', 30, 0, ['日本語 日本語 日本語 日本語', '日本語']],
] as const)('%s is broken at spaces', ([, line, columns, indent, lines]) => {
  expect(wrap(line, { indent, columns }).split('\n')).toEqual(lines);
});
