import { neutral } from '#src/operation/text/sanitize.ts';

/** A time in a zone, as `Fri, 20 Nov, 18:00:05`. */
export function instantText(at: Date, timeZone: string): string {
  const options = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(at);
}

/** Text of a server on one line, without control characters. */
export function oneLine(text: string): string {
  return neutral(text).replace(/\s+/gu, ' ');
}

/** The message for an unknown rule id. */
export function unknownRuleText(id: string, known: readonly string[]): string {
  return `There is no rule ${id} that can run. There are: ${known.join(', ') || 'none'}.`;
}
