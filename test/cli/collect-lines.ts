import type { Terminal } from '#src/cli/terminal.ts';

/** A terminal without colours whose lines a test reads. */
export function collectLines(): { readonly out: Terminal; readonly text: () => string } {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  return { out: { color: false, print, printError: print, paint: (_style, text) => text }, text: () => lines.join('\n') };
}
