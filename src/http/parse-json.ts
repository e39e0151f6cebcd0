/** The most values in the JSON of a response. A large page has some thousands. */
const MOST_VALUES = 300_000;

const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/** Whether JSON has more values than any response of an API. Each is counted before it takes memory; a comma in a text counts as one. */
export function hasTooManyValues(text: string): boolean {
  if (text.length <= MOST_VALUES) return false;
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === COMMA || code === BRACKET || code === BRACE) count++;
  }
  return count > MOST_VALUES;
}

/** Parses JSON; undefined if the text is not JSON, or has too many values. */
export function parseJson(text: string): unknown {
  if (hasTooManyValues(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses JSON in UTF-8; undefined as for `parseJson`, and if the bytes are not UTF-8. */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
