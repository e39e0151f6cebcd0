import { Lexer } from 'yaml';

/** How often lists and maps stand inside each other at most. */
export const MOST_LEVELS = 50;

// What the tokens of the lexer begin with that have no text of their own, and the one before each scalar.
const WITHOUT_TEXT = new Set(['\u{2}', '\u{18}']);
const BEFORE_SCALAR = '\u{1f}';

/** Where a text has more structure than a file may have, and of which kind; undefined: nowhere. */
export type Excess = { readonly kind: 'levels' | 'marks'; readonly offset: number };

/**
 * Looks through the tokens of a YAML text, once: the parser takes the square of the depth of brackets, and time for each mark.
 *
 * Marks are brackets, commas, and the signs of lists, keys, anchors, aliases and tags. Text in quotes and blocks has none.
 */
export function structureExcess(source: string, mostMarks: number): Excess | undefined {
  let [offset, marks, brackets, signs] = [0, 0, 0, 0];
  let isScalar = false;
  for (const token of new Lexer().lex(source)) {
    if (token === BEFORE_SCALAR) {
      isScalar = true;
      continue;
    }
    if (WITHOUT_TEXT.has(token)) continue;
    if (!isScalar && isMark(token)) {
      marks++;
      if (token === '[' || token === '{') brackets++;
      else if (token === ']' || token === '}') brackets = Math.max(0, brackets - 1);
      else if (brackets === 0 && /^[-?:]/u.test(token)) signs++;
      if (brackets + signs > MOST_LEVELS) return { kind: 'levels', offset };
      if (marks > mostMarks) return { kind: 'marks', offset };
    }
    // Lists inside each other may begin on one line; on several lines each is indented by what the file has room for.
    if (token.includes('\n')) signs = 0;
    isScalar = false;
    offset += token.length;
  }
  return undefined;
}

function isMark(token: string): boolean {
  return /^[[\]{},?:&*!-]/u.test(token) && !token.startsWith('---');
}
