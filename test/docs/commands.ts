import { readFileSync } from 'node:fs';

/** A command of Fanfare on a page. */
interface Shown {
  readonly file: string;
  readonly line: number;
  /** The words after `fanfare`. */
  readonly words: readonly string[];
}

/** The start of a command: variables, then `npx fanfare`, `fanfare` or the file in `bin`. */
const START = /(?:^|[\s(])(?:npx fanfare|node bin\/fanfare\.mjs)(?: |$)|^(?:[A-Z_]+=\S+ )*fanfare(?: |$)/u;
/** The end of a command in a shell. */
const END = /^(?:[|;&>]+|\d>.*|#.*|\\)$/u;

/** The commands of Fanfare in inline code and in blocks of shell commands. */
export function commandsIn(file: string): readonly Shown[] {
  let block: string | undefined;
  return readFileSync(file, 'utf8')
    .replaceAll(/ \\\n */gu, ' ')
    .split('\n')
    .flatMap((text, index) => {
      const fence = /^\s*```(\w*)/u.exec(text);
      if (fence) block = block === undefined ? (fence[1] ?? '') : undefined;
      const codes = block === undefined ? [...text.matchAll(/`([^`]+)`/gu)].map(([, code = '']) => code) : [];
      const found = block === 'sh' || block === 'powershell' ? [text.trim()] : codes;
      return found.flatMap((code) => wordsAfterStart(code)).map((words) => ({ file, line: index + 1, words }));
    });
}

/** The words of the command in a line; empty if it has none. */
export function wordsAfterStart(code: string): readonly (readonly string[])[] {
  const found = START.exec(code);
  if (!found) return [];
  const words = code.slice(found.index + found[0].length).match(/"[^"]*"|'[^']*'|<[^>]*>|\S+/gu);
  if (!words) return [];
  const end = words.findIndex((word) => END.test(word));
  return [words.slice(0, end === -1 ? undefined : end).map((word) => word.replaceAll(/^["']|["',;.)]+$/gu, ''))];
}
