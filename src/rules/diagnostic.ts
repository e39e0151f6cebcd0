import { visible } from '#src/rules/messages/format.ts';

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

/** A diagnostic for a terminal: location, message, the line with a caret below, and the hint. */
export function formatDiagnostic(
  { severity, file, line, column, path, message, hint, excerpt }: Diagnostic,
  { color }: { readonly color: boolean },
): string {
  const paint = (style: keyof typeof COLOURS, text: string): string => (color ? COLOURS[style] + text + PLAIN : text);
  const where = `${file}:${line}:${column}`;
  const what = path === '' ? message : `${path}: ${message}`;
  const { text, caret } = excerptAround(excerpt, column);
  const gutter = `${line} | `;
  return [
    `${paint('bold', visible(where))} ${paint(severity, severity)} ${visible(what)}`,
    paint('faint', gutter) + text,
    `${' '.repeat(gutter.length + caret)}${paint(severity, '^')}`,
    ...(hint === undefined ? [] : [`${' '.repeat(gutter.length)}${paint('faint', visible(hint))}`]),
  ].join('\n');
}

/** A diagnostic in one line, for logs: location, message and hint. */
export function diagnosticLine({ file, line, column, path, message, hint }: Diagnostic): string {
  return `${file}:${line}:${column} ${path === '' ? '' : `${path}: `}${message}${hint === undefined ? '' : ` (${hint})`}`;
}

function excerptAround(excerpt: string, column: number): { readonly text: string; readonly caret: number } {
  const from = excerpt.length > MOST_COLUMNS ? Math.max(0, column - MOST_COLUMNS / 2) : 0;
  return { text: visible(excerpt.slice(from, from + MOST_COLUMNS)), caret: Math.max(0, column - 1 - from) };
}
