import { lineStartOf } from './report.ts';

/** A text that YAML reads as something else because of its first characters. */
export interface Misread {
  /** The offset in the file. */
  readonly offset: number;
  readonly message: string;
  readonly hint: string;
}

/** Keys of expressions, which may begin with a quoted text. */
const OF_EXPRESSIONS: ReadonlySet<string> = new Set(['if', 'where', 'key', 'forEach']);

/** Explains a value that YAML misreads and that its author most likely meant as text. */
export function misreadValue(source: string, at: number): Misread | undefined {
  const line = valueLine(source, at);
  return line && (misreadSign(line) ?? textBehindSign(line) ?? earlyEnd(line) ?? quoteInside(line, at) ?? misreadInside(line, at));
}

/** Finds `*bold*` and `[LIVE] text`. A list that fills its line is a list. */
function misreadSign({ key, value, offset }: ValueLine): Misread | undefined {
  const isList = /^\[[^\]]*\].*[^\],\s]$/u.test(value);
  if (!isList && !/^[*&]/u.test(value)) return undefined;
  // The text behind " #" may be a comment.
  const hint = /\s#/u.test(value) ? 'put quotes around the text' : `put quotes around the value: ${key}: ${quoted(value)}`;
  return { offset, message: `${value[0]} at the start of a value has a special meaning in YAML`, hint };
}

/** Finds `> text`: the text of > and | starts on the next line. */
function textBehindSign({ key, value, offset }: ValueLine): Misread | undefined {
  const [, sign, text] = /^([|>])[-+]?\s+([^#\s].*)$/u.exec(value) ?? [];
  if (sign === undefined || text === undefined) return undefined;
  const hint = `put the text on the next line, and indent it, or write ${key}: ${quoted(text)}`;
  return { offset, message: `the text of ${sign} starts on the next line`, hint };
}

/** Finds quotes in a quoted text in { } or [ ], which close before the text ends. */
function quoteInside({ value, offset }: ValueLine, at: number): Misread | undefined {
  const quote = value[at - offset - 1];
  if (!/^[{[]/u.test(value) || (quote !== '"' && quote !== "'")) return undefined;
  const before = value.slice(0, at - offset - 1);
  const text = before.slice(before.lastIndexOf(quote) + 1);
  if (!before.includes(quote)) return undefined;
  const isExpression = text.lastIndexOf('${{') > text.lastIndexOf('}}');
  const hint = isExpression
    ? otherQuotes(quote)
    : quote === '"'
      ? 'put single quotes around the whole text, or write \\" inside'
      : "put double quotes around the whole text, or write '' inside";
  return { offset: at - 1, message: endsEarly(quote), hint };
}

/** The message about a quote in a quoted text. */
export function endsEarly(quote: string): string {
  return `this ${quote} ends the text, but more text follows`;
}

/** The hint for quotes of an expression that end the text around it. */
export function otherQuotes(quote: string): string {
  return `use ${quote === '"' ? 'single' : 'double'} quotes inside ${'${{ }}'}`;
}

/** Finds `*bold*` in { } or [ ], before the parser error. */
function misreadInside({ value, offset }: ValueLine, at: number): Misread | undefined {
  if (!/^[{[]/u.test(value) || at < offset) return undefined;
  const [before, sign = ''] = /(?<=[,:{[]\s*)([*&])[^,{}[\]]*$/u.exec(value.slice(0, at - offset)) ?? [];
  if (before === undefined) return undefined;
  return {
    offset: at - before.length,
    message: `${sign} at the start of a value has a special meaning in YAML`,
    hint: 'put quotes around the text',
  };
}

/** Finds quotes that close before the value ends. */
function earlyEnd({ key, value, offset }: ValueLine): Misread | undefined {
  const [quote = ''] = value;
  const [opening] = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/u.exec(value) ?? [];
  if (opening === undefined) return undefined;
  // An expression may begin with a text in quotes, which an operator or a call follows.
  if (OF_EXPRESSIONS.has(key) && !/^[\p{L}\p{N}]/u.test(value.slice(opening.length))) return undefined;
  if (/^(?:\s*$|\s+#)/u.test(value.slice(opening.length))) return undefined;
  const [, , inside = value] = /^(["'])(.*)\1(?:\s+#.*)?$/u.exec(value) ?? [];
  const text = quote === '"' ? inside.replaceAll('\\"', '"') : inside.replaceAll("''", "'");
  // Single quotes have no escapes.
  const isEscaping = quote === '"' && text.includes('\\');
  return {
    offset: offset + opening.length - 1,
    message: endsEarly(quote),
    hint: isEscaping ? 'write \\" for a quote in the text' : `write ${key}: ${quoted(text)}`,
  };
}

/** A key and its value on one line. */
interface ValueLine {
  readonly key: string;
  readonly value: string;
  /** The offset of the value in the file. */
  readonly offset: number;
}

const KEY_AND_VALUE = /^(\s*(?:- +)*([A-Za-z][\w-]*): +)(\S.*?)\s*$/u;
const MOST_CHARACTERS = 300;

/** The key and value on the line of an offset; undefined if the line lacks one. */
export function valueLine(source: string, at: number): ValueLine | undefined {
  const lineStart = lineStartOf(source, Math.min(at, source.trimEnd().length));
  const line = source.slice(lineStart, lineStart + MOST_CHARACTERS).split('\n')[0] ?? '';
  const [, before = '', key, value] = KEY_AND_VALUE.exec(line) ?? [];
  return key === undefined || value === undefined ? undefined : { key, value, offset: lineStart + before.length };
}

/** Quotes a text for YAML. */
export function quoted(text: string): string {
  return /["\\]/u.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`;
}

/** A value for the place behind a space, where `#` starts a comment. */
export function behindSpace(value: string): string {
  return value.startsWith('#') ? quoted(value) : value;
}

/** A text as an element of a list in [ ]: a word that YAML reads as text needs no quotes. */
export function plainOrQuoted(text: string): string {
  return /^(?!(?:true|false|null)$)[a-z_][\w-]*$/iu.test(text) ? text : quoted(text);
}
