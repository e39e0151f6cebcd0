import { ConfigError, isDatabaseUnavailable, PlatformError, UserError } from '#src/errors.ts';
import { formatDiagnostic } from '#src/rules/diagnostic.ts';
import { withSourcePositions } from '#src/source-positions.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { printError } from './format.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** Prints why a command failed: a message for errors that a person can fix, the stack trace for bugs. Returns the exit code. */
export function printFailure(error: unknown, out: Terminal): number {
  if (error instanceof UsageError) {
    printError(error.argument === undefined ? error.message : `${error.argument}: ${error.message}`, out);
    if (error.hint !== undefined) out.printError(`  ${error.hint}`);
    return EXIT_CODES.usage;
  }
  if (error instanceof ConfigError) {
    for (const one of [error, ...error.others]) printConfigError(one, out);
  } else if (error instanceof PlatformError || error instanceof UserError) {
    printError(error.message, out);
  } else if (isDatabaseUnavailable(error)) {
    printError(`DATABASE_URL: ${error.message}`, out);
    out.printError('  try again when PostgreSQL answers');
  } else {
    printError('unexpected error. This is a bug in Fanfare: please report it with the following lines.', out);
    out.printError(error instanceof Error ? withSourcePositions(error.stack ?? error.message) : String(error));
    return EXIT_CODES.bug;
  }
  return EXIT_CODES.failure;
}

/** A mistake in a file looks like a mistake in a rule: with its line and a caret. */
function printConfigError({ message, file, line, column, hint, excerpt }: ConfigError, out: Terminal): void {
  if (line !== undefined && column !== undefined && excerpt !== undefined) {
    const diagnostic = { severity: 'error', code: 'configuration', file, line, column, path: '', message, hint, excerpt } as const;
    out.printError(`${formatDiagnostic(diagnostic, out)}\n`);
    return;
  }
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  for (const text of message.split('\n')) printError(`${place}: ${text}`, out);
  if (hint !== undefined) out.printError(`  ${hint}`);
}
