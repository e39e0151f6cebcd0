import { Lexer } from 'yaml';

/** The deepest allowed nesting of lists and maps. */
export const MOST_LEVELS = 50;

// Control tokens of the lexer, and the token before each scalar.
const WITHOUT_TEXT = new Set(['\u{2}', '\u{18}']);
const BEFORE_SCALAR = '\u{1f}';

/** The offset at which a text exceeds a limit. */
export type Excess = { readonly kind: 'levels' | 'marks'; readonly offset: number };

/**
 * Scans the tokens of a YAML text before parsing, because the parser takes quadratic time for nested brackets. Undefined within the limits.
 *
 * Indicators are brackets, commas, and the signs of lists, keys, anchors, aliases and tags. Quoted and block text has none.
 */
export function structureExcess(source: string, mostIndicators: number): Excess | undefined {
  return isSmall(source, mostIndicators) ? undefined : findExcess(source, mostIndicators);
}

const NEW_LINE = '\n'.charCodeAt(0);
const BRACKETS: ReadonlySet<number> = codesOf('[{');
const SIGNS: ReadonlySet<number> = codesOf('-?:');

function codesOf(characters: string): ReadonlySet<number> {
  return new Set(Array.from(characters, (character) => character.charCodeAt(0)));
}

/** Whether a text has too few brackets and signs for an excess, even if all of them were indicators. Most rules are small. */
function isSmall(source: string, mostIndicators: number): boolean {
  if (source.length > mostIndicators) return false;
  let [brackets, signs, mostSigns] = [0, 0, 0];
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === NEW_LINE) signs = 0;
    else if (BRACKETS.has(code)) brackets++;
    else if (SIGNS.has(code)) mostSigns = Math.max(mostSigns, ++signs);
  }
  return brackets + mostSigns <= MOST_LEVELS;
}

function findExcess(source: string, mostIndicators: number): Excess | undefined {
  let [offset, indicators, brackets, signs] = [0, 0, 0, 0];
  let isScalar = false;
  for (const token of new Lexer().lex(source)) {
    if (token === BEFORE_SCALAR) {
      isScalar = true;
      continue;
    }
    if (WITHOUT_TEXT.has(token)) continue;
    if (!isScalar && isIndicator(token)) {
      indicators++;
      if (token === '[' || token === '{') brackets++;
      else if (token === ']' || token === '}') brackets = Math.max(0, brackets - 1);
      else if (brackets === 0 && /^[-?:]/u.test(token)) signs++;
      if (brackets + signs > MOST_LEVELS) return { kind: 'levels', offset };
      if (indicators > mostIndicators) return { kind: 'marks', offset };
    }
    // Nested lists can begin on one line. On several lines, indentation limits their depth.
    if (token.includes('\n')) signs = 0;
    isScalar = false;
    offset += token.length;
  }
  return undefined;
}

function isIndicator(token: string): boolean {
  return /^[[\]{},?:&*!-]/u.test(token) && !token.startsWith('---');
}
