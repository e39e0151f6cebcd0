import type { Command } from 'commander';
import type { z } from 'zod';
import { forSentences } from './format.ts';
import { printWarnings } from './print-warnings.ts';
import { withoutText, type Terminal } from './terminal.ts';

/** The version of the JSON. It changes if a field changes its meaning or is removed. */
const VERSION = 1;

/** What a command found or did. */
export interface Answer<T> {
  readonly data: T;
  /** 1 if the command found errors. */
  readonly exitCode?: 0 | 1 | undefined;
}

export interface AnsweringOptions<S extends z.ZodType, P extends unknown[]> {
  /** The form of the data. Fields that it lacks are not printed. */
  readonly schema: S;
  readonly out: Terminal;
  /** Whether the command is about what Fanfare did, so that a state with which it has not run is probably the wrong one. */
  readonly needsRun?: boolean | undefined;
  /** Runs the command with the parsed arguments, and prints the text for people to `out`. */
  readonly run: (out: Terminal, ...parsed: P) => Promise<Answer<z.input<S>>>;
}

const schemas = new WeakMap<Command, z.ZodType>();

/** Makes a command answer with text, or with `--json` with its data. */
export function answering<S extends z.ZodType<object>, P extends unknown[]>(
  command: Command,
  { schema, out, needsRun = false, run }: AnsweringOptions<S, P>,
): void {
  schemas.set(command, schema);
  command.option('--json', 'Print the answer as JSON').action(async (...parsed: unknown[]) => {
    const isJson = command.opts()['json'] === true;
    if (needsRun) printWarnings((await import('#src/app/state-warnings.ts')).otherStateWarnings(process.env), out);
    // commander passes the declared arguments, the options and the command.
    const { data, exitCode } = await run(isJson ? withoutText(out) : forSentences(out), ...(parsed as P));
    if (isJson) printJson(schema.parse(data), out);
    if (exitCode !== undefined) process.exitCode = exitCode;
  });
}

/** The form of the JSON that a command prints; undefined if it has no `--json`. */
export function answerOf(command: Command): z.ZodType | undefined {
  return schemas.get(command);
}

/** Prints one JSON document. */
export function printJson(data: object, out: Terminal): void {
  out.print(JSON.stringify({ version: VERSION, ...data }, undefined, 2));
}
