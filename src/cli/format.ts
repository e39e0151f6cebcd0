import { neutral } from '#src/clients/operation/text/sanitize.ts';
import { columnsOf, wrap } from '#src/rules/messages/wrap.ts';
import type { Terminal } from './terminal.ts';

/** A time in a zone, for example `Fri, 20 Nov 2026, 18:00:05`. */
export function instantText(at: Date, timeZone: string): string {
  const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
  return new Intl.DateTimeFormat('en-GB', { ...day, hour: '2-digit', minute: '2-digit', second: '2-digit', timeZone }).format(at);
}

/** Text of a server on one line, without control characters. */
export function oneLine(text: string): string {
  return neutral(text).replace(/\s+/gu, ' ');
}

/** Prints a line whose further lines in a narrow terminal begin at the column `indent`. */
export function printHanging(line: string, indent: number, out: Terminal): void {
  out.print(wrap(line, { indent, columns: out.columns }));
}

/** Prints numbered instructions. A single one has no number. */
export function printSteps(steps: readonly string[], out: Terminal): void {
  if (steps.length === 1) printHanging(`  ${steps[0]}`, 2, out);
  else for (const [index, step] of steps.entries()) printHanging(`  ${index + 1}. ${step}`, 5, out);
}

/** Prints a row of a table. In a narrow terminal, its last column continues below itself. */
export function printRow(columns: string, last: string, out: Terminal): void {
  printHanging(columns + last, columnsOf(columns), out);
}

/** What to do about an error, below it. */
export function printHint(hint: string, out: Terminal): void {
  out.printError(wrap(`  ${hint}`, { indent: 2, columns: out.columns }));
}

/** A terminal that breaks sentences and rows at spaces. Texts of several lines, such as files, and texts of messages stay the same. */
export function forSentences(out: Terminal): Terminal {
  const print = (text: string): void => {
    const [, before = '', line = text, after = ''] = /^(\n*)(.*?)(\n*)$/su.exec(text) ?? [];
    const [lead = ''] = /^ */u.exec(line) ?? [];
    const isRow = /\S {2,}\S/u.test(line);
    const isFixed = line.includes('\n') || line.includes('│');
    out.print(before + (isFixed ? line : wrap(line, { indent: lead.length + (isRow ? 2 : 0), columns: out.columns })) + after);
  };
  return { ...out, print };
}

/** A message on stderr, with the prefix of all errors. */
export function printError(message: string, out: Terminal): void {
  out.printError(wrap(`${out.paint('red', 'error:')} ${message}`, { indent: 7, columns: out.columns }));
}
