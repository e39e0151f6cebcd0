import { isScalar, parseDocument } from 'yaml';
import { describe, expect, test } from 'vitest';
import { offsetInScalar } from '#src/rules/document/rule-document.ts';

/** The text of the source at the offset of `marked` in the value. */
function found(source: string, marked: string): string {
  const scalar = parseDocument(source).get('t', true);
  if (!isScalar(scalar) || typeof scalar.value !== 'string') throw new Error('the source has no text t');
  const at = scalar.value.indexOf(marked);
  return source.slice(offsetInScalar(scalar, source, at)).slice(0, marked.length);
}

describe('an offset in a text and its offset in the file', () => {
  test.each([
    ['plain', 't: one MARK two'],
    ['double-quoted', 't: "one MARK two"'],
    ['double-quoted with escapes', 't: "a\\n\\"b\\" \\\\ MARK"'],
    ['single-quoted', "t: 'it''s MARK'"],
    ['plain over several lines', 't: one\n  two\n  MARK'],
    ['quoted over several lines', 't: "one\n\n  two\n  MARK"'],
    ['quoted with a continued line', 't: "one \\\n  MARK"'],
    ['a block as written', 't: |\n  one\n\n    two\n  MARK\n'],
    ['a block as written, without its last line break', 't: |-\n  one\n  MARK'],
    ['a folded block', 't: >-\n  one\n  two\n\n  MARK\n'],
    ['a block with a comment on its first line', 't: | # here\n  one\n  MARK\n'],
    ['in a flow', '{ a: 1, t: "one MARK", b: 2 }'],
  ])('%s', (_, source) => {
    expect(found(source, 'MARK')).toBe('MARK');
  });

  test('is the nearest known offset before an escape', () => {
    const source = 't: "\\u00e9 MARK"';
    const scalar = parseDocument(source).get('t', true);

    const offset = isScalar(scalar) ? offsetInScalar(scalar, source, 2) : -1;

    expect(offset).toBe(source.indexOf('\\') + 1);
  });
});
