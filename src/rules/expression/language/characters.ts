import { countCodePoints } from '#src/clients/operation/text/characters.ts';
import { calledName, handleCalls, walk, type Node } from './tree.ts';

const WITH_POSITIONS: ReadonlySet<string> = new Set(['substring', 'indexOf', 'lastIndexOf']);
/** The first half of a character that takes two UTF-16 units, for example of an emoji. */
const PAIR = /[\uD800-\uDBFF]/;

/** Counts the characters of a text as `size` does. The library counts UTF-16 units in other functions, and cuts emoji into halves. */
export function readCharacters(tree: Node): void {
  walk(tree, (node) => {
    const name = calledName(node) ?? '';
    if (name === 'split') {
      handleCalls(node, (call, values) => {
        const [text, separator, limit] = values;
        return typeof text === 'string' && separator === '' ? charactersOf(text, Number(limit ?? -1)) : call(values);
      });
    }
    if (!WITH_POSITIONS.has(name)) return;
    handleCalls(node, (call, values) => {
      const [text, ...others] = values;
      if (typeof text !== 'string' || !PAIR.test(text)) return call(values);
      const result = call([text, ...others.map((value) => (typeof value === 'bigint' ? BigInt(unitAt(text, Number(value))) : value))]);
      return typeof result === 'bigint' && result > 0n ? BigInt(countCodePoints(text.slice(0, Number(result)))) : result;
    });
  });
}

/** The characters of a text. The last one of a limited number is the rest of the text. */
function charactersOf(text: string, limit: number): readonly string[] {
  const characters = Array.from(text);
  if (limit < 0 || characters.length <= limit) return characters;
  return limit === 0 ? [] : [...characters.slice(0, limit - 1), characters.slice(limit - 1).join('')];
}

/** The UTF-16 unit at which a character starts. A position outside the text stays outside. */
function unitAt(text: string, position: number): number {
  let [unit, at] = [0, 0];
  for (const character of text) {
    if (at === position) return unit;
    unit += character.length;
    at++;
  }
  return position < 0 ? position : position - at + unit;
}
