import type { Problem } from './problem.ts';
import { visible } from './wording/visible.ts';

const COLOURS = { error: '\u001B[31m', warning: '\u001B[33m', faint: '\u001B[2m', bold: '\u001B[1m' };
const PLAIN = '\u001B[0m';

/** Longer lines are shown around the place that is meant. */
const MOST_COLUMNS = 120;

/** A problem as a terminal shows it: where, what, the line as written with a mark below, and the cure. */
export function printProblem(
  { severity, file, line, column, path, message, hint, excerpt }: Problem,
  { color }: { readonly color: boolean },
): string {
  const paint = (style: keyof typeof COLOURS, text: string): string => (color ? COLOURS[style] + text + PLAIN : text);
  const where = `${file}:${line}:${column}`;
  const what = path === '' ? message : `${path}: ${message}`;
  const { text, mark } = cutOut(excerpt, column);
  const gutter = `${line} | `;
  return [
    `${paint('bold', visible(where))} ${paint(severity, severity)} ${visible(what)}`,
    paint('faint', gutter) + text,
    `${' '.repeat(gutter.length + mark)}${paint(severity, '^')}`,
    ...(hint === undefined ? [] : [`${' '.repeat(gutter.length)}${paint('faint', visible(hint))}`]),
  ].join('\n');
}

function cutOut(excerpt: string, column: number): { readonly text: string; readonly mark: number } {
  const from = excerpt.length > MOST_COLUMNS ? Math.max(0, column - MOST_COLUMNS / 2) : 0;
  return { text: visible(excerpt.slice(from, from + MOST_COLUMNS)), mark: Math.max(0, column - 1 - from) };
}
