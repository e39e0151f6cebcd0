import { z } from 'zod';
import { codeOf, ConfigError, isDatabaseUnavailable, PlatformError, Refused, UserError, messageOf } from '#src/errors.ts';
import { formatDiagnostic, locationText } from '#src/rules/diagnostic.ts';
import { withSourcePositions } from '#src/log.ts';
import { printJson } from './answering.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { printError, printHint } from './format.ts';
import { Refusal } from './refusal.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

const place = z.object({
  message: z.string().describe('What is wrong.'),
  hint: z.string().optional().describe('What to do.'),
  file: z.string().optional().describe('The file or the setting with the mistake.'),
  line: z.int().optional().describe('The line of the file, from 1.'),
  column: z.int().optional().describe('The column, from 1.'),
});

/** What a command with `--json` prints if it fails. */
export const FailureAnswer = z.object({
  error: place
    .extend({
      code: z
        .string()
        .describe(
          'The kind of the error, for programs: `usage`, `configuration`, `platform`, `databaseUnavailable`, `bug`, or the reason of a refusal, for example `ruleNotFound`. Codes stay the same in later versions.',
        ),
      argument: z.string().optional().describe('The wrong argument or option.'),
      platform: z.string().optional().describe('The platform that refused a request.'),
      fault: z.string().optional().describe('The kind of the error of the platform.'),
      retryAt: z.date().optional().describe('When a retry can succeed.'),
      others: z.array(place).readonly().optional().describe('Further mistakes in files.'),
    })
    .describe('Why the command failed.'),
});

type Failure = z.input<typeof FailureAnswer>['error'];

/** Prints why a command failed: a message for errors that a person can fix, the stack trace for bugs. Returns the exit code. */
export function printFailure(error: unknown, out: Terminal, { json = false }: { readonly json?: boolean } = {}): number {
  const failure = failureOf(error);
  if (failure.code === 'bug') {
    printError('unexpected error. This is a bug in Fanfare: please report it with the following lines.', out);
    out.printError(error instanceof Error ? withSourcePositions(error.stack ?? error.message) : String(error));
  } else if (!json) printText(error, failure, out);
  if (json) printJsonFailure(failure, out);
  if (failure.code === 'bug') return EXIT_CODES.bug;
  return failure.code === 'usage' ? EXIT_CODES.usage : EXIT_CODES.failure;
}

export function printJsonFailure(error: Failure, out: Terminal): void {
  printJson(FailureAnswer.parse({ error }), out);
}

function failureOf(error: unknown): Failure {
  if (error instanceof UsageError) return { code: 'usage', message: error.message, argument: error.argument, hint: error.hint };
  if (error instanceof Refusal) return { code: error.code, ...withHint(error.message, error.hint) };
  if (error instanceof ConfigError) {
    const others = error.others.map(placeOf);
    return { code: 'configuration', ...placeOf(error), ...(others.length > 0 && { others }) };
  }
  if (error instanceof PlatformError) {
    const { message, platform, fault, retryAt } = error;
    return { code: 'platform', message, platform, fault, retryAt };
  }
  if (error instanceof Refused) return { code: error.code, ...withHint(error.message) };
  if (error instanceof UserError) return { code: 'refused', ...withHint(error.message) };
  if (isDatabaseUnavailable(error))
    return { code: 'databaseUnavailable', message: error.message, file: 'DATABASE_URL', hint: 'try again when PostgreSQL answers' };
  return ofFileSystem(error) ?? { code: 'bug', message: messageOf(error) };
}

const NO_PERMISSION = ['this user has no permission', 'give it to this user, or run the command as its owner'] as const;
const NO_SPACE = ['the disk is full', 'make room on this disk, or use another one'] as const;
/** The message and the remedy for each error code of the file system that the operator can solve. */
const OF_THE_MACHINE: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  EACCES: NO_PERMISSION,
  EPERM: NO_PERMISSION,
  // Windows renames no file that a program has open.
  EBUSY: ['the file is in use', 'end the program that uses it, and run the command again'],
  EROFS: ['the disk is read-only', 'make it writable, or use another one'],
  ENOSPC: NO_SPACE,
  EDQUOT: NO_SPACE,
};

/** Windows reports both alike. */
const IN_USE_OR_FORBIDDEN = [
  'the file is in use, or this user has no permission',
  'end the program that uses it, or run the command as the owner of its folder',
] as const;

/** Why the file system refused; undefined for other errors. */
function ofFileSystem(error: unknown): Failure | undefined {
  const code = codeOf(error) ?? '';
  const known = OF_THE_MACHINE[code];
  if (!known || !(error instanceof Error) || !('syscall' in error) || 'address' in error) return undefined;
  const [message, hint] = code === 'EPERM' && error.syscall === 'rename' ? IN_USE_OR_FORBIDDEN : known;
  const file = 'path' in error && typeof error.path === 'string' ? error.path : undefined;
  return { code: 'configuration', message: `${message} (${code})`, file, hint };
}

/** The further lines of a message are a hint. */
function withHint(text: string, hint?: string): { readonly message: string; readonly hint: string | undefined } {
  const [message = '', ...lines] = text.split(/\n */u);
  const hints = [...lines, ...(hint === undefined ? [] : [hint])];
  return { message, hint: hints.length === 0 ? undefined : hints.join('\n') };
}

function placeOf({ message, hint, file, line, column }: ConfigError): z.input<typeof place> {
  return { message, hint, file, line, column };
}

function printText(error: unknown, { message, argument, file, hint }: Failure, out: Terminal): void {
  if (error instanceof ConfigError) {
    for (const one of [error, ...error.others]) printConfigError(one, out);
    return;
  }
  const where = argument ?? file;
  printError(where === undefined ? message : `${where}: ${message}`, out);
  if (hint !== undefined) for (const line of hint.split('\n')) printHint(line, out);
}

/** A mistake in a file looks like a mistake in a rule: with its line and a caret. */
function printConfigError({ message, file, line, column, hint, excerpt }: ConfigError, out: Terminal): void {
  if (line !== undefined && column !== undefined && excerpt !== undefined) {
    const diagnostic = { severity: 'error', code: 'configuration', file, line, column, path: '', message, hint, excerpt } as const;
    out.printError(`${formatDiagnostic(diagnostic, out)}\n`);
    return;
  }
  for (const text of message.split('\n')) printError(`${locationText({ file, line, column })}: ${text}`, out);
  if (hint !== undefined) printHint(hint, out);
}
