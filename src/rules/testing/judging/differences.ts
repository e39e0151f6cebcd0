import { isJsonList, isJsonObject, type Json } from '#src/operation/json.ts';
import { isPattern, toPattern } from './pattern.ts';

/** One place where something else was expected. */
export interface Difference {
  /** As `embed.title`. */
  readonly path: string;
  readonly expected: Json;
  /** Absent: there is nothing. */
  readonly actual?: Json | undefined;
}

/** Where `actual` lacks what is expected of it; what it has beside that does not matter. */
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
  if (typeof expected === 'string' && typeof actual === 'string') {
    if (isPattern(expected)) return toPattern(expected)?.test(actual) ?? false;
    // A block of text in YAML ends with a line break that a rule's text loses.
    return expected === actual || expected.replace(/\r?\n$/u, '') === actual;
  }
  // Where text is wanted a number is taken as it is written.
  if (typeof expected === 'number' && typeof actual === 'string') return String(expected) === actual;
  return expected === actual;
}
