import { printFailure } from '#src/cli/print-failure.ts';
import type { Terminal } from '#src/cli/terminal.ts';

/** A terminal without colours whose lines a test reads. */
export function collectLines(): { readonly out: Terminal; readonly text: () => string } {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  return { out: { color: false, print, printError: print, paint: (_style, text) => text }, text: () => lines.join('\n') };
}

/** The exit code of a command. Prints its failure, as the program does. */
export async function exitCodeOf(ended: Promise<{ readonly exitCode?: 0 | 1 | undefined }>, out: Terminal): Promise<number> {
  try {
    return (await ended).exitCode ?? 0;
  } catch (error) {
    return printFailure(error, out);
  }
}
