import { neutral } from '#src/clients/operation/text/sanitize.ts';
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

/** A message on stderr, with the prefix of all errors. */
export function printError(message: string, out: Terminal): void {
  out.printError(`${out.paint('red', 'error:')} ${message}`);
}
