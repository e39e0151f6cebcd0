import { ConfigError, PlatformError, UserError } from '#src/errors.ts';
import { withSourcePositions } from '#src/source-positions.ts';
import type { Terminal } from './terminal.ts';

/** Prints why a command failed: a message for errors that a person can fix, the stack trace for bugs. */
export function printFailure(error: unknown, out: Terminal): void {
  if (error instanceof ConfigError) {
    const place = [error.file, error.line, error.column].filter((part) => part !== undefined).join(':');
    for (const line of error.message.split('\n')) out.printError(`${out.paint('red', 'error')} ${place}: ${line}`);
    if (error.hint !== undefined) out.printError(`  ${error.hint}`);
    for (const other of error.others) printFailure(other, out);
  } else if (error instanceof PlatformError || error instanceof UserError) {
    out.printError(`${out.paint('red', 'error')} ${error.message}`);
  } else {
    out.printError(error instanceof Error ? withSourcePositions(error.stack ?? error.message) : String(error));
  }
}
