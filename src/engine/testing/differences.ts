import { isJsonList, isJsonObject, type Json } from '#src/clients/operation/json.ts';
import { RE2JS } from 're2js';
import { BoundedCache } from '#src/rules/expression/bounded-cache.ts';

/** A difference between an expected and an actual value. */
export interface Difference {
  /** As `embed.title`. */
  readonly path: string;
  readonly expected: Json;
  /** Undefined if the value is missing. */
  readonly actual?: Json | undefined;
}

/** The differences of `actual` from the expected value. Additional fields do not count. */
export function differences(expected: Json, actual: Json | undefined, path = ''): readonly Difference[] {
  if (isJsonObject(expected) && isJsonObject(actual)) {
    return Object.entries(expected).flatMap(([key, value]) =>
      value === undefined ? [] : differences(value, actual[key], path === '' ? key : `${path}.${key}`),
    );
  }
  if (isJsonList(expected) && isJsonList(actual) && expected.length === actual.length) {
    return expected.flatMap((value, index) => differences(value, actual[index], `${path}[${index}]`));
  }
  return isMet(expected, actual) ? [] : [{ path, expected, actual }];
}

function isMet(expected: Json, actual: Json | undefined): boolean {
  // As in records and payloads of a test, null is an absent field.
  if (expected === null) return actual === undefined || actual === null;
  if (typeof expected === 'string' && typeof actual === 'string') {
    if (isPattern(expected)) return toPattern(expected)?.test(actual) ?? false;
    // A YAML block ends with a line break, which the text of a rule loses.
    return expected === actual || expected.replace(/\r?\n$/u, '') === actual;
  }
  // Where text is expected, YAML numbers are text as written.
  if (typeof expected === 'number' && typeof actual === 'string') return String(expected) === actual;
  return expected === actual;
}

/** A regular expression in an expectation. */
interface Pattern {
  /** Whether the pattern occurs in the text. */
  test(text: string): boolean;
}

const MOST_PATTERNS = 200;
const NO_PATTERN = 'no pattern';

const remembered = new BoundedCache<Pattern | typeof NO_PATTERN>(MOST_PATTERNS);

/** Whether a text in an expectation is a regular expression: a text between slashes. */
export function isPattern(text: string): boolean {
  return text.length > 1 && text.startsWith('/') && text.endsWith('/');
}

/** The pattern between the slashes; undefined if it is invalid. */
export function toPattern(text: string): Pattern | undefined {
  const pattern = remembered.get(text, () => compile(text.slice(1, -1)) ?? NO_PATTERN);
  return pattern === NO_PATTERN ? undefined : pattern;
}

/** Compiles with RE2, which takes linear time: rules may come from other people. */
function compile(source: string): Pattern | undefined {
  try {
    return RE2JS.compile(source);
  } catch {
    return undefined;
  }
}
