import type { YAMLError } from 'yaml';
import { lineStartOf } from './report.ts';

/** A line with the wrong indentation. */
export interface Misplaced {
  /** The offset of the parser error: in this line, or in the line above it. */
  readonly at: number;
  /** The offset of its first visible character. */
  readonly offset: number;
  readonly hint: string;
}

const KEY_LINE = /^( *)((?:- +)*)([A-Za-z][\w-]*):(?:\s|$)/u;
/** The key is absent if the element is a list or a map in [ ] or { }. */
const ELEMENT_LINE = /^( *)((?:- +)+)(?:([A-Za-z][\w-]*):(?:\s|$))?/u;
/** The lines above that are searched for a neighbour. */
const MOST_LINES = 100;

/** The wrongly indented line behind a parser error; undefined for other errors. */
export function misplacedLine({ code, message, pos: [at] }: YAMLError, source: string): Misplaced | undefined {
  if (code === 'BAD_INDENT') return misplaced(at, lineStartOf(source, at), source);
  const first = /^(?:[ \t]*(?:#.*)?\n)*( +)\S/u.exec(source);
  // YAML takes an indented first line for the whole file.
  if (first?.[1] !== undefined && code === 'UNEXPECTED_TOKEN' && message.includes('at node end')) {
    const offset = first[0].length - 1;
    return { at, offset, hint: 'start the line with no space, like the other keys of the rule' };
  }
  if (code !== 'BLOCK_AS_IMPLICIT_KEY' && code !== 'MULTILINE_IMPLICIT_KEY') return undefined;
  if (/^ *- [^:]*:(?:\s(?!.*:\s).*)?$/u.test(lineFrom(source, lineStartOf(source, at)))) {
    const element = misplaced(at, lineStartOf(source, at), source);
    if (element) return element;
  }
  // The list is indented further than the value of the key above it.
  if (message.startsWith('A block sequence')) return misplaced(at, lineStartOf(source, at), source);
  const key = KEY_LINE.exec(lineFrom(source, lineStartOf(source, at)));
  const next = source.indexOf('\n', at) + 1;
  const below = next === 0 ? null : KEY_LINE.exec(lineFrom(source, next));
  // YAML reads a deeper line as a continuation of the value above it.
  return key && below && columnOf(below) > columnOf(key) ? misplaced(at, next, source) : undefined;
}

function misplaced(at: number, lineStart: number, source: string): Misplaced | undefined {
  const line = lineFrom(source, lineStart);
  const indent = line.length - line.trimStart().length;
  const above = source.slice(0, lineStart);
  const beside =
    (KEY_LINE.test(line) ? undefined : textAbove(above, indent)) ??
    neighbour(above, { indent, isListed: line.trimStart().startsWith('- ') });
  if (!beside) return undefined;
  const spaces = beside.column === 0 ? 'no space' : beside.column === 1 ? 'one space' : `${beside.column} spaces`;
  return { at, offset: lineStart + indent, hint: `start the line with ${spaces}, like ${beside.name}` };
}

/** The text below | or > that a line with fewer spaces should continue. */
function textAbove(above: string, indent: number): { readonly column: number; readonly name: string } | undefined {
  const lines = above.split('\n').slice(0, -1).slice(-MOST_LINES);
  const header = lines.findLastIndex((line) => /:\s+[|>][-+\d]*\s*$/u.test(line));
  const texts = lines.slice(header + 1).filter((line) => line.trim() !== '');
  const columns = texts.map((line) => line.length - line.trimStart().length);
  const [first] = columns;
  const isText = header >= 0 && first !== undefined && columns.every((column) => column >= first) && indent < first;
  return isText ? { column: first, name: 'the text above' } : undefined;
}

/** The line above with the nearest indentation. Of two, the deeper one. */
function neighbour(
  above: string,
  { indent, isListed }: { readonly indent: number; readonly isListed: boolean },
): { readonly column: number; readonly name: string } | undefined {
  const lines = above.split('\n').slice(0, -1).slice(-MOST_LINES).toReversed();
  // An unindented line starts another part of the rule.
  const margin = lines.findIndex((line) => /^[A-Za-z]/u.test(line));
  const starts = lines.slice(0, margin === -1 ? undefined : margin + 1).flatMap((line) => {
    const found = (isListed ? ELEMENT_LINE : KEY_LINE).exec(line);
    if (!found) return [];
    const [, spaces = '', , key] = found;
    const column = isListed ? spaces.length : columnOf(found);
    const name = key === undefined ? 'the element above' : isListed ? `- ${key}` : key;
    return column === indent ? [] : [{ column, name }];
  });
  return starts.toSorted((a, b) => Math.abs(a.column - indent) - Math.abs(b.column - indent) || b.column - a.column)[0];
}

function columnOf([, spaces = '', dashes = '']: RegExpExecArray): number {
  return spaces.length + dashes.length;
}

function lineFrom(source: string, start: number): string {
  const end = source.indexOf('\n', start);
  return source.slice(start, end === -1 ? undefined : end).slice(0, 300);
}
