/** A key and its value on one line. */
export interface ValueLine {
  readonly key: string;
  readonly value: string;
  /** Where the value begins in the file. */
  readonly offset: number;
}

const KEY_AND_VALUE = /^(\s*(?:- +)*([A-Za-z][\w-]*): +)(\S.*?)\s*$/u;
const MOST_CHARACTERS = 300;

/** The key and the value on the line of a place, where it has both; of the end of a file, on its last line. */
export function valueLine(source: string, at: number): ValueLine | undefined {
  const within = Math.min(at, source.trimEnd().length);
  const lineStart = within === 0 ? 0 : source.lastIndexOf('\n', within - 1) + 1;
  const line = source.slice(lineStart, lineStart + MOST_CHARACTERS).split('\n')[0] ?? '';
  const [, before = '', key, value] = KEY_AND_VALUE.exec(line) ?? [];
  return key === undefined || value === undefined ? undefined : { key, value, offset: lineStart + before.length };
}

/** Text as it stands in YAML for itself. */
export function quoted(text: string): string {
  return /["\\]/u.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`;
}
