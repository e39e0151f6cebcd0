import type { ConfigError } from '#src/errors.ts';
import { visible } from '#src/rules/messages/format.ts';
import { columnsOf, wrap } from '#src/rules/messages/wrap.ts';

/** A problem in a rule file. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  /** Names the kind of mistake, for example `unknown-key`. */
  readonly code: string;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** The path in the document, for example `then[0].with.text`. */
  readonly path: string;
  readonly message: string;
  /** How to fix it. */
  readonly hint?: string | undefined;
  /** The line of the file. */
  readonly excerpt: string;
}

/** The code of warnings about webhooks without a secret. */
export const SECRET_CODE = 'webhook-without-secret';

/** The code of diagnostics about a Discord channel or role that a rule uses. */
export const CHANNEL_CODE = 'channel';

const COLOURS = { error: '\u001B[31m', warning: '\u001B[33m', faint: '\u001B[2m', bold: '\u001B[1m' };
const PLAIN = '\u001B[0m';

/** Longer lines are cut around the column. */
const MOST_COLUMNS = 120;

export interface DiagnosticStyle {
  readonly color: boolean;
  /** The width of the terminal; absent: lines are not broken. */
  readonly columns?: number | undefined;
}

/** A diagnostic for a terminal: location, message, the line with a caret below, and the hint. */
export function formatDiagnostic(
  { severity, file, line, column, path, message, hint, excerpt }: Diagnostic,
  { color, columns }: DiagnosticStyle,
): string {
  const paint = (style: keyof typeof COLOURS, text: string): string => (color ? COLOURS[style] + text + PLAIN : text);
  const where = `${file}:${line}:${column}`;
  const what = path === '' ? message : `${path}: ${message}`;
  const gutter = `${line} | `;
  // If the terminal broke this line, the caret would point to another place.
  const { text, caret } = excerptAround(excerpt, column, Math.min(MOST_COLUMNS, (columns ?? Infinity) - gutter.length));
  const hang = { indent: gutter.length, columns };
  return [
    wrap(`${paint('bold', visible(where))} ${paint(severity, severity)} ${visible(what)}`, hang),
    // A file that cannot be read has no line to show.
    ...(excerpt === '' ? [] : [paint('faint', gutter) + text, `${' '.repeat(gutter.length + caret)}${paint(severity, '^')}`]),
    ...(hint === undefined ? [] : [wrap(`${' '.repeat(gutter.length)}${paint('faint', visible(hint))}`, hang)]),
  ].join('\n');
}

/** The known parts of the location of a mistake: `fanfare.yaml:3:5`. */
export function locationText({ file, line, column }: Pick<ConfigError, 'file' | 'line' | 'column'>): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}

/** A diagnostic in one line, for logs: location, message and hint. */
export function diagnosticLine({ file, line, column, ...diagnostic }: Diagnostic): string {
  return `${locationText({ file, line, column })} ${diagnosticText(diagnostic)}`;
}

/** A diagnostic without its location. */
export function diagnosticText({ path, message, hint }: Pick<Diagnostic, 'path' | 'message' | 'hint'>): string {
  return `${path === '' ? '' : `${path}: `}${message}${hint === undefined ? '' : ` (${hint})`}`;
}

function excerptAround(excerpt: string, column: number, most: number): { readonly text: string; readonly caret: number } {
  const from = columnsOf(excerpt) > most ? Math.max(0, column - Math.ceil(most / 2)) : 0;
  const before = visible(excerpt.slice(from, column - 1));
  let text = visible(excerpt.slice(from, from + most));
  // Characters of East Asia take two columns.
  while (columnsOf(text) > most && text.length > before.length) text = text.slice(0, -1);
  return { text, caret: columnsOf(before) };
}
