import { lineStartOf } from './report.ts';
import { behindSpace, type Misread } from './misread-value.ts';

const MOST_CHARACTERS = 300;
/** The lines above that are searched for the start of a text. */
const MOST_LINES = 100;

/** A key and its value without a space between them, for example `every:5m`. An address has a colon too. */
export const JOINED_KEY = /^([A-Za-z][\w-]*):(?!\/\/)(\S.*?)$/u;

/** A space of web pages and text editors behind a dash or a colon, which YAML reads as a letter. */
export const ODD_SPACE = /^(-|[A-Za-z][\w-]*:)[\u00a0\u2000-\u200b\u202f\u205f\u3000\ufeff]+\s*(\S.*?)$/u;

/** The same behind a sign of a list or a map, before all quotes. */
const ODD_SPACE_BEHIND_SIGN = /^([^"'#]*[:,{}[\]][ \t]*)[\u00a0\u2000-\u200b\u202f\u205f\u3000\ufeff]/u;

/** A colon of another script behind a key, which YAML reads as a letter. */
const ODD_COLON = /^([A-Za-z][\w-]*)[\uff1a\ufe55\ua789]\s*(.*?)$/u;

/** A dash of a text editor, or a bullet of a web page, before an element of a list. */
const ODD_DASH = /^[\u2010-\u2015\u2022\u2212\u00b7]\s*([A-Za-z][\w-]*:.*?)$/u;

/** The line at an offset if it lacks the space behind its dash or its colon; undefined: it does not. */
export function missingSpace(source: string, at: number): Misread | undefined {
  const line = lineAt(source, at);
  const [, indent = '', dash = '', rest = ''] = /^(\s*)((?:- +)*)(.*?)\s*$/u.exec(line.text) ?? [];
  const [, element] = /^-([^-\d\s].*)$/u.exec(rest) ?? [];
  const offset = line.start + indent.length + dash.length;
  if (element !== undefined) return { offset, message: 'a space is missing', hint: `write a space after the dash: - ${element}` };
  const [, behindDash] = ODD_DASH.exec(rest) ?? [];
  if (behindDash !== undefined) {
    return { offset, message: 'the line has a character that only looks like a hyphen', hint: `write it with a hyphen: - ${behindDash}` };
  }
  const [, before, behind] = ODD_SPACE.exec(rest) ?? [];
  if (before !== undefined && behind !== undefined) {
    const message = 'the line has a character that only looks like a space';
    return { offset: offset + before.length, message, hint: `write it with a space: ${before} ${behindSpace(behind)}` };
  }
  const [, ahead] = ODD_SPACE_BEHIND_SIGN.exec(line.text) ?? [];
  if (ahead !== undefined) {
    const message = 'the line has a character that only looks like a space';
    return { offset: line.start + ahead.length, message, hint: 'write a space' };
  }
  const [, name, text = ''] = ODD_COLON.exec(rest) ?? [];
  if (name !== undefined) {
    const message = 'the line has a character that only looks like a colon';
    return { offset: offset + name.length, message, hint: `write it with a colon: ${`${name}: ${behindSpace(text)}`.trim()}` };
  }
  const [, key, value] = JOINED_KEY.exec(rest) ?? [];
  if (key === undefined || value === undefined) return undefined;
  return { offset, message: 'a space is missing', hint: `write a space after the colon: ${key}: ${behindSpace(value)}` };
}

/** The line at an offset if the colon after its key is missing, for example `every 5m` or `every = 5m`; undefined: it is not. */
export function missingColon(source: string, at: number): Misread | undefined {
  const line = lineAt(source, at);
  const [, before = '', rest = ''] = /^(\s*(?:- +)*)(.*)$/u.exec(line.text) ?? [];
  const hint = colonHint(rest);
  return hint === undefined ? undefined : { offset: line.start + before.length, message: COLON_MISSING, hint };
}

export const COLON_MISSING = 'a colon is missing';

/** A key without a colon, alone or before its value. */
const KEY_WITHOUT_COLON = /^([A-Za-z][\w-]*)(?:\s*=>?\s*(.*?)|(?:\s+([^:]*?))?)\s*$/u;

/** The hint for a text that is a key without a colon; undefined: it is another text. */
export function colonHint(text: string): string | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  const [, key, assigned, value = assigned ?? ''] = KEY_WITHOUT_COLON.exec(text) ?? [];
  return key === undefined ? undefined : `write ${`${key}: ${behindSpace(value)}`.trim()}`;
}

const MARKDOWN_FENCE = /^(?:```|~~~)/mu;

/** The first line of a Markdown text around a rule; undefined: there is none. In YAML, texts over several lines are indented. */
export function markdownFence(source: string): Misread | undefined {
  const offset = source.search(MARKDOWN_FENCE);
  if (offset === -1) return undefined;
  const sign = source.slice(offset, offset + 3);
  return { offset, message: `${sign} belongs to a Markdown text`, hint: `delete the lines that start with ${sign}` };
}

/** Spaces of web pages and text editors, which YAML reads as letters. */
const LOOKS_LIKE_SPACE = /^[ \t]*[\u00a0\u2000-\u200b\u202f\u205f\u3000\ufeff](?:[^\S\n]|\u200b)*(?:- |[A-Za-z][\w-]*:(?:\s|$))/gmu;

/** The first key or element that such a space indents, outside of the ranges of texts; undefined: there is none. */
export function wrongSpace(source: string, texts: () => readonly (readonly [from: number, to: number])[]): Misread | undefined {
  const found = [...source.matchAll(LOOKS_LIKE_SPACE)].map(({ index }) => index);
  const ranges = found.length === 0 ? [] : texts();
  const offset = found.find((index) => !ranges.some(([from, to]) => from < index && index < to));
  if (offset === undefined) return undefined;
  const [invisible] = /^[\u200b\ufeff]/u.exec(source.slice(offset)) ?? [];
  if (invisible !== undefined) return { offset, message: 'the line begins with an invisible character', hint: 'delete it' };
  return { offset, message: 'the line is indented with a character that only looks like a space', hint: 'use spaces' };
}

/** The start of a text behind `|` or `>` that is not indented; undefined: the line is in no such text. */
export function unindentedText(source: string, at: number): Misread | undefined {
  const line = lineAt(source, at);
  const indent = indentOf(line.text);
  const above = source.slice(0, line.start).split('\n').slice(0, -1).slice(-MOST_LINES);
  const start = above.findLastIndex((one) => /^\s*(?:- +)*[A-Za-z][\w-]*:\s+[|>][-+\d]*\s*$/u.test(one));
  const opening = above[start];
  if (opening === undefined || above.slice(start + 1).some((one) => one.trim() !== '' && indentOf(one) !== indent)) return undefined;
  const column = opening.search(/[A-Za-z]/u);
  if (indent > column) return undefined;
  const [sign = '|'] = /[|>](?=[-+\d]*\s*$)/u.exec(opening) ?? [];
  return {
    offset: line.start + indent,
    message: `the text below ${sign} is not indented`,
    hint: `start each of its lines with ${column + 2} spaces`,
  };
}

function lineAt(source: string, at: number): { readonly start: number; readonly text: string } {
  const start = lineStartOf(source, Math.min(at, source.trimEnd().length));
  return { start, text: source.slice(start, start + MOST_CHARACTERS).split('\n')[0] ?? '' };
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
