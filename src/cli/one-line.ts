import { neutral } from '#src/operation/text/sanitize.ts';

/** What a server said, in one line, with nothing that a terminal would obey. */
export function oneLine(text: string): string {
  return neutral(text).replace(/\s+/gu, ' ');
}
