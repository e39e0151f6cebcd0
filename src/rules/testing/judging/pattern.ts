import { RE2JS } from 're2js';
import { BoundedCache } from '../../expression/language/bounded-cache.ts';

/** A regular expression in an expectation. */
interface Pattern {
  /** Whether it occurs in the text. */
  test(text: string): boolean;
}

const MOST_PATTERNS = 200;
const NO_PATTERN = 'no pattern';

const remembered = new BoundedCache<Pattern | typeof NO_PATTERN>(MOST_PATTERNS);

/** Whether a text in an expectation is a regular expression: one between slashes. */
export function isPattern(text: string): boolean {
  return text.length > 1 && text.startsWith('/') && text.endsWith('/');
}

/** The expression between the slashes; undefined where it is none. */
export function toPattern(text: string): Pattern | undefined {
  const pattern = remembered.get(text, () => compile(text.slice(1, -1)) ?? NO_PATTERN);
  return pattern === NO_PATTERN ? undefined : pattern;
}

/** In linear time, also on a rule that nobody has looked at yet: what looks around and back could take for ever. */
function compile(source: string): Pattern | undefined {
  try {
    return RE2JS.compile(source);
  } catch {
    return undefined;
  }
}
