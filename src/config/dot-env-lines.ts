/** A line of a `.env` file that sets a variable. */
export interface DotEnvEntry {
  readonly name: string;
  /** From 1. */
  readonly line: number;
  readonly isEmpty: boolean;
  /** Whether later lines became its value: its quotes close there, or only spaces follow `=`. */
  readonly isMultiline: boolean;
  /** Whether `#` cuts off the value inside a word. */
  readonly isCut: boolean;
}

/** The lines of a `.env` file, without values. */
export interface DotEnvLines {
  readonly entries: readonly DotEnvEntry[];
  /** The lines that are no `NAME=value`, with their first name. Node ignores them. */
  readonly unreadable: readonly { readonly line: number; readonly firstWord: string }[];
}

/** The encoding of a `.env` file. Windows PowerShell writes UTF-16 with a byte order mark. */
export function encodingOfDotEnv([first]: Uint8Array): 'utf-16le' | 'utf-8' {
  return first === 0xff ? 'utf-16le' : 'utf-8';
}

/** The text of a `.env` file, without its byte order mark, which would become a part of the first name. Node joins lines that end with CR alone. */
export function textOfDotEnv(bytes: Uint8Array): string {
  return new TextDecoder(encodingOfDotEnv(bytes)).decode(bytes).replaceAll(/\r\n?/gu, '\n');
}

const ENTRY = /^\s*(?:export +)?([^\s=]+)\s*=(.*)$/u;

/** Reads the lines of a `.env` file as Node does: quotes may close in a later line. */
export function readDotEnvLines(text: string): DotEnvLines {
  const lines = text.split(/\r?\n/u);
  const entries: DotEnvEntry[] = [];
  const unreadable: { line: number; firstWord: string }[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (/^\s*(?:#|$)/u.test(line)) continue;
    const [, name, rest = ''] = ENTRY.exec(line) ?? [];
    if (name === undefined) {
      unreadable.push({ line: index + 1, firstWord: /[A-Za-z_]\w+/u.exec(line.replace(/^\s*export\s/u, ''))?.[0] ?? '' });
      continue;
    }
    const { value, later } = valueFrom(rest, lines.slice(index + 1));
    const isCut = !/^["'`]/u.test(value) && /^[^#]*[^\s#]#/u.test(value);
    entries.push({ name, line: index + 1, isEmpty: /^(?:#.*|""|''|``)?$/u.test(value.trim()), isMultiline: later > 0, isCut });
    index += later;
  }
  return { entries, unreadable };
}

/** The beginning of a value, and the number of later lines that belong to it. Node skips line breaks between a space and a value. */
function valueFrom(rest: string, below: readonly string[]): { readonly value: string; readonly later: number } {
  const skipped = rest !== '' && rest.trim() === '' ? below.findIndex((line) => line.trim() !== '') + 1 : 0;
  const value = (skipped === 0 ? rest : (below[skipped - 1] ?? '')).trim();
  const quote = /^["'`]/u.exec(value)?.[0];
  if (quote === undefined || value.includes(quote, 1)) return { value, later: skipped };
  return { value, later: skipped + below.slice(skipped).findIndex((line) => line.includes(quote)) + 1 };
}
