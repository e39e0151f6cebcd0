import { quoted, valueLine, type ValueLine } from './value-line.ts';

/** Text that YAML takes for something else, for what it begins with. */
export interface Misread {
  /** In the file. */
  readonly offset: number;
  readonly message: string;
  readonly hint: string;
}

/** Keys of expressions: quotes in their values are parts of them. */
const OF_EXPRESSIONS: ReadonlySet<string> = new Set(['if', 'where', 'key', 'forEach']);

/** Why the value on the line of a place cannot be read, where its author most likely meant text. */
export function misreadValue(source: string, at: number): Misread | undefined {
  const line = valueLine(source, at);
  return line && (misreadSign(line) ?? earlyEnd(line) ?? misreadInside(line, at));
}

/** `*bold*`, `[LIVE] text` and the like; a list or a map that goes to the end of the line is none. */
function misreadSign({ key, value, offset }: ValueLine): Misread | undefined {
  const isList = /^\[[^\]]*\].*[^\],\s]$/u.test(value);
  if (!isList && !/^[*&]/u.test(value)) return undefined;
  // What stands behind " #" may be meant as a comment.
  const hint = /\s#/u.test(value) ? 'put quotes around the text' : `put quotes around the value: ${key}: ${quoted(value)}`;
  return { offset, message: `${value[0]} at the beginning means something else in YAML`, hint };
}

/** `*bold*` between { } or [ ], before the place that the parser stumbled over. */
function misreadInside({ value, offset }: ValueLine, at: number): Misread | undefined {
  if (!/^[{[]/u.test(value) || at < offset) return undefined;
  const [before, sign = ''] = /(?<=[,:{[]\s*)([*&])[^,{}[\]]*$/u.exec(value.slice(0, at - offset)) ?? [];
  if (before === undefined) return undefined;
  return {
    offset: at - before.length,
    message: `${sign} at the beginning means something else in YAML`,
    hint: 'put quotes around the text',
  };
}

/** Quotes that close before the value ends. */
function earlyEnd({ key, value, offset }: ValueLine): Misread | undefined {
  const [quote = ''] = value;
  const [opening] = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/u.exec(value) ?? [];
  if (opening === undefined || OF_EXPRESSIONS.has(key)) return undefined;
  if (/^(?:\s*$|\s+#)/u.test(value.slice(opening.length))) return undefined;
  const [, , inside = value] = /^(["'])(.*)\1(?:\s+#.*)?$/u.exec(value) ?? [];
  const text = quote === '"' ? inside.replaceAll('\\"', '"') : inside.replaceAll("''", "'");
  // Between single quotes an escape would be no escape.
  const isEscaping = quote === '"' && text.includes('\\');
  return {
    offset: offset + opening.length - 1,
    message: `this ${quote} ends the text: what follows is left over`,
    hint: isEscaping ? 'write \\" for a quote within the text' : `write ${key}: ${quoted(text)}`,
  };
}
