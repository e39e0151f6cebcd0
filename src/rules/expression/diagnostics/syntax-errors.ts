import type { ParseError } from '@marcbachmann/cel-js';
import { parseDuration } from '#src/clients/operation/duration.ts';
import { ExpressionError } from '../expression-error.ts';
import { replacementOf } from './foreign-functions.ts';
import { missingPart } from './missing-part.ts';

const LIMITS: Readonly<Record<string, string>> = {
  maxAstNodes: 'the expression is too long',
  maxDepth: 'the expression is nested too deeply',
  maxListElements: 'the list is too long',
  maxMapEntries: 'the map is too long',
  maxCallArguments: 'the call has too many arguments',
};

interface SyntaxHint {
  /** The text before the offset, and the text from it on. */
  readonly before?: RegExp;
  readonly from?: RegExp;
  readonly hint: string;
}

const HINTS: readonly SyntaxHint[] = [
  { from: /^and\b/iu, hint: 'write && for "and"' },
  { from: /^or\b/iu, hint: 'write || for "or"' },
  { from: /^not\s+in\b/iu, hint: 'write !(a in b) for "not in"' },
  { before: /\bnot\s+$/iu, hint: 'write ! for "not"' },
  { from: /^is\b/iu, hint: 'write == for "is"' },
  { from: /^between\b/iu, hint: 'write a >= 1 && a <= 5 for "between"' },
  { from: /^\?/u, before: /\?\s*$/u, hint: 'write either(a, b) for the first value that is not empty' },
  { from: /^\./u, before: /\?$/u, hint: 'write . for ?. : a field of an absent record is empty' },
  { from: /^["']/u, before: /["']$/u, hint: 'write \\ before a quote in text, or put the other quotes around the text' },
  { from: /^=>\s*["'\d-]/u, hint: 'write >= for "at least"' },
  { from: /^=~/u, hint: 'write rx(text, "pattern")' },
  { from: /^>/u, before: /<$/u, hint: 'write != for "not equal"' },
  { from: /^=>/u, hint: 'there are no arrow functions: write list.map(x, x.id)' },
  { from: /^,[^()]*\)\s*=>/u, hint: 'there are no arrow functions: write list.map(x, x.id)' },
  { from: /^=/u, hint: 'write == to compare' },
  { from: /^(?:contains|startsWith|endsWith|like|LIKE)\b/u, hint: 'write it as a call: text.contains("…")' },
  { from: /^&/u, hint: 'write &&' },
  { from: /^\|/u, hint: 'write ||' },
  { from: /^:/u, before: /\[[^\]]*$/u, hint: 'write top(list, n) for a list, truncate(text, n) for text' },
  { from: /^[“”„‘’‚«»]/u, hint: 'write straight quotes' },
  { from: /^[\p{Zs}\u200B\uFEFF]/u, hint: 'replace the special space here by a usual one' },
  { from: /^\}\}/u, hint: 'remove the braces: this is already an expression' },
  { from: /^\$/u, hint: 'remove ${{ }}: this is already an expression' },
  { from: /^\p{L}.*'/su, before: /\p{L}'$/u, hint: 'write double quotes around a text with an apostrophe' },
];

const IN_QUOTES = 'in double quotes, YAML turns \\n into a line break: write \\\\n, or start the value with | on a separate line';

/** Translates a syntax error. */
export function syntaxError({ code, summary, range }: ParseError, source: string): ExpressionError {
  const at = range?.start ?? 0;
  const rest = source.slice(at).trim();
  switch (code) {
    case 'newline_in_string':
      return new ExpressionError('text in quotes contains a line break', { at, hint: IN_QUOTES });
    case 'unterminated_string':
    case 'unterminated_triple_quoted_string':
      return new ExpressionError('the quotes are not closed', { at });
    case 'invalid_escape_sequence':
    case 'invalid_unicode_escape':
    case 'invalid_hex_escape':
    case 'invalid_octal_escape':
      return new ExpressionError(lowerFirst(summary), { at, hint: 'in a pattern, write r"…", else \\\\ for a backslash' });
    case 'limit_exceeded':
      return new ExpressionError(limitMessage(summary), { at });
    case 'unexpected_character':
    case 'unexpected_token':
    case 'expected_token':
      return new ExpressionError(rest === '' ? 'the expression is incomplete' : `syntax error at ${rest.slice(0, 40)}`, {
        at: Math.min(at, Math.max(0, source.length - 1)),
        hint: syntaxHint(source, at) ?? missingPart(source, rest === '' ? source.length : at),
      });
    default:
      return new ExpressionError(lowerFirst(summary), {
        at,
        hint: /^if[ (]/u.test(source.slice(at)) ? 'write condition ? a : b' : undefined,
      });
  }
}

function lowerFirst(summary: string): string {
  return summary.replace(/^./u, (first) => first.toLowerCase());
}

/** The call that a filter of a template language stands for, for example `item.title | upper`. */
function filterHint(name: string, operand: string): string {
  return `there are no filters: ${replacementOf(name) ?? `write ${name}(${operand})`}; for "or", write ||`;
}

function limitMessage(summary: string): string {
  return Object.entries(LIMITS).find(([limit]) => summary.includes(limit))?.[1] ?? summary;
}

/** The number that begins with `count`: `1000` for `1,000`, `1_000` and `1k`, and `1.5` for `1,5`; undefined: it is none. */
function numberHint(count: string, rest: string): string | undefined {
  const [, thousands, decimals, kilo] = /^(?:[,_](\d{3})|,(\d{1,2})|([kK]))\b/u.exec(rest) ?? [];
  if (decimals !== undefined) return `${count}.${decimals}`;
  return thousands === undefined && kilo === undefined ? undefined : `${count}${thousands ?? '000'}`;
}

/** Words of a text without quotes, up to an operator, a field or a call. */
const WORDS = /^[\p{L}\p{N}]+(?:(?:[:,.!]? |['-])(?![\p{L}\p{N}]+(?:\.\p{L}|\())[\p{L}\p{N}]+)*(?![\p{L}\p{N}])/u;

/** Words in place of operators, which have hints of their own. */
const OPERATORS = /^(?:and|or|not|is|in|contains|startsWith|endsWith|like)\b/iu;

function syntaxHint(source: string, at: number): string | undefined {
  const before = source.slice(Math.max(0, at - 200), at);
  const from = source.slice(at, at + 20);
  const [, count] = /(?<![\w.])(\d+)$/u.exec(before) ?? [];
  const [unit] = /^[smhdw]\b/u.exec(from) ?? [];
  if (count !== undefined && unit !== undefined) {
    const isMilliseconds = /\.\w+Ms\s*[<>=!]=?\s*\d+$/u.test(before);
    return isMilliseconds ? `write ${parseDuration(`${count}${unit}`)}` : `write duration("${count}${unit}")`;
  }
  const number = count === undefined ? undefined : numberHint(count, from);
  if (number !== undefined) return `write ${number}`;
  const [, comparison, first] = /([!=]=)\s*([\p{L}][\p{L}\p{N}_]*)\s+$/u.exec(before) ?? [];
  const words = WORDS.exec(source.slice(at, at + 100))?.[0].replace(/ (?:and|or)$/iu, '');
  if (comparison !== undefined && words !== undefined && !OPERATORS.test(words))
    return `put quotes around the text: ${comparison} "${first} ${words}"`;
  const [, filter] = /^\|\s*([A-Za-z]\w*)/u.exec(from) ?? [];
  if (filter !== undefined) return filterHint(filter, /[\w.]+(?=\s*$)/u.exec(before)?.[0] ?? 'value');
  return HINTS.find((hint) => (hint.before?.test(before) ?? true) && (hint.from?.test(from) ?? true))?.hint;
}
