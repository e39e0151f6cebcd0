import { describe, expect, test } from 'vitest';
import { parseTemplate } from '#src/rules/grammar/template.ts';

function pieces(text: string): readonly string[] {
  return parseTemplate(text).pieces.map((piece) => ('text' in piece ? piece.text : `<${piece.source}@${piece.at}>`));
}

describe('a template', () => {
  test.each([
    ['', ['']],
    ['plain', ['plain']],
    ['${{ a }}', ['<a@4>']],
    ['${{a}}', ['<a@3>']],
    ['x ${{ a }} y ${{ b }}', ['x ', '<a@6>', ' y ', '<b@17>']],
    ['${{ a }}${{ b }}', ['<a@4>', '<b@12>']],
    ['a literal $${{ x }}', ['a literal ${{ x }}']],
    ['$${{ x }} and ${{ y }}', ['${{ x }} and ', '<y@18>']],
    ["${{ {'a': {'b': 1}} }}", ["<{'a': {'b': 1}}@4>"]],
    ["${{ {'a':1}}}", ["<{'a':1}@4>"]],
    ['${{ \'}}\' + "}}" }}', ['<\'}}\' + "}}"@4>']],
    ["${{ 'it\\'s }}' }}", ["<'it\\'s }}'@4>"]],
    ['${{ """a " }} b""" }}', ['<"""a " }} b"""@4>']],
    ['costs $5 {{ a }} }}', ['costs $5 {{ a }} }}']],
  ])('%j is parsed', (text, expected) => {
    expect(pieces(text)).toEqual(expected);
  });

  test.each([
    ['${{ a', 0],
    ['x ${{ a }', 2],
    ["${{ 'a }}", 0],
    ['${{ {a }}', 0],
  ])('%j is not closed', (text, at) => {
    expect(parseTemplate(text).unclosedAt).toBe(at);
  });
});
