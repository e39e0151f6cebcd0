import { stripVTControlCharacters } from 'node:util';
import { graphemesOf } from '#src/clients/operation/text/characters.ts';

/** Characters of two columns: those of East Asia, and emoji. */
const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303E\uFF01-\uFF60\uFFE0-\uFFE6])/u;
const INVISIBLE = /^[\p{M}\p{Cf}]+$/u;
/** Narrower columns are harder to read than lines that the terminal breaks. */
const FEWEST_COLUMNS = 24;
const PLAIN_INDENT = 4;

/** The number of columns that a text takes in a terminal. Styles take none. */
export function columnsOf(text: string): number {
  const plain = stripVTControlCharacters(text);
  // Most lines are of this kind, and the segmenter is slow.
  if (/^[ -~]*$/u.test(plain)) return plain.length;
  let columns = 0;
  for (const one of graphemesOf(plain)) columns += INVISIBLE.test(one) ? 0 : WIDE.test(one) ? 2 : 1;
  return columns;
}

interface WrapOptions {
  /** The column at which the further lines begin. */
  readonly indent: number;
  /** The width of the terminal; absent: the text stays one line. */
  readonly columns?: number | undefined;
}

/** Breaks a line at spaces so that it fits into the terminal. A longer link or command keeps its line, because people copy it. */
export function wrap(line: string, { indent, columns }: WrapOptions): string {
  if (columns === undefined || columnsOf(line) <= columns) return line;
  const start = columns - indent < FEWEST_COLUMNS ? PLAIN_INDENT : indent;
  const lines: string[] = [];
  let current = '';
  let width = 0;
  // Before `start`, the spaces align columns.
  for (const word of wordsOf(line)) {
    const wordColumns = columnsOf(word.trimEnd());
    if (width > start && width + wordColumns > columns) {
      lines.push(current.trimEnd());
      current = ' '.repeat(start);
      width = start;
    }
    current += word;
    width += columnsOf(word);
  }
  return [...lines, current].join('\n');
}

const COMMANDS: ReadonlySet<string> = new Set(['fanfare ', 'npm ', 'npx ', 'openssl ', 'sudo ']);

/** The words of a line with the spaces behind them. A command to the end of its sentence is one word. */
function wordsOf(line: string): readonly string[] {
  const words: string[] = [];
  let isCommand = false;
  for (const word of line.split(/(?<= )(?=[^ ])/u)) {
    words.push(isCommand ? (words.pop() ?? '') + word : word);
    isCommand = (isCommand || COMMANDS.has(stripVTControlCharacters(word))) && !/[,.:;)]\s*$/u.test(word);
  }
  return words;
}
