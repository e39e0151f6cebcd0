import { ExpressionError } from '../expression-error.ts';

const ABSENT = 'a value is absent: write [?"field"].orValue(…) with a default';

/** The messages of the library, which name its types and can contain texts of records, and those of the rule language. */
const MESSAGES: readonly (readonly [of: RegExp, message: string])[] = [
  // A key can be any text, also one of the following.
  [/^No such key: (?!index out of bounds, )/u, 'no such key: '],
  // The library names the type of an absent value, or the operators between which it cannot choose.
  [/^.*\boptional[<.].*$|^Optional value is not present$/su, ABSENT],
  [/^No such key: index out of bounds, index (-\d+) < 0$/u, 'index $1 is out of bounds: the elements of a list count from 0'],
  [/^no such overload: .* [<>]=? .*$/u, 'a comparison needs two numbers, two timestamps or two texts'],
  [/^no such overload: .* \+ .*$/u, '+ needs texts or numbers: write string(…) or .join(…) for other values'],
  [/^found no matching overload for '(\w+)\(.*$/su, '$1() cannot be called with these values'],
  [/^(u?int)\(\) type error: cannot convert to u?int$/u, '$1() needs the text of a whole number'],
  [/^double\(\) type error: cannot convert to double$/u, 'double() needs the text of a number'],
  [/^bool\(\) conversion error: .*$/su, 'bool() needs the text true or false'],
  [/^timestamp\(\) requires a valid integer .*$/u, 'timestamp() needs seconds since 1970: divide milliseconds by 1000'],
  [/^Invalid duration string: .*$/su, 'duration() needs a text such as 90s, 1h30m or 7d'],
  [/^string\.substring\(.* out of range$/u, 'substring() needs positions in the text: truncate(text, n) shortens a text of any length'],
  [/^string\.(\w+)\(.* out of range$/u, '$1() needs positions in the text'],
  [/^(?:Bad|Expected|No|Unexpected|Unterminated) .*\bJSON\b.*$/su, 'json() needs the bytes of a JSON text'],
];

const OUT_OF_BOUNDS = /^No such key: index out of bounds, index (\d+) >= size (\d+|undefined)$/u;

/** Translates an error of an evaluation. */
export function runError(error: unknown): ExpressionError {
  if (error instanceof ExpressionError) return error;
  const summary = error instanceof Error && 'summary' in error ? String(error.summary) : undefined;
  const message = summary ?? (error instanceof Error ? error.message : 'the evaluation failed');
  const [of, translated] = MESSAGES.find(([pattern]) => pattern.test(message)) ?? [OUT_OF_BOUNDS, undefined];
  const text = translated === undefined ? message.replace(of, indexMessage) : message.replace(of, translated);
  return new ExpressionError(
    text.replace(/^./u, (first) => first.toLowerCase()),
    { at: 0 },
  );
}

/** The message of the library shows the size of an empty list as `undefined`. */
function indexMessage(_message: string, index: string, size: string): string {
  return `index ${index} is out of bounds: the list has ${size === 'undefined' ? 'no' : size} ${size === '1' ? 'element' : 'elements'}; write [?${index}] for an empty value`;
}
