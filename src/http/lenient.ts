import { z } from 'zod';
import { parseInstant } from './instant.ts';

/** A part of an answer that is left out where it is absent, null, or cannot be read. */
export function maybe<T>(part: z.ZodType<T>): z.ZodType<T | undefined> {
  return part
    .nullish()
    .catch(undefined)
    .transform((value) => value ?? undefined);
}

/** A row that cannot be read: the values of the request that it concerns, and why. */
interface UnreadableRow {
  readonly fault: 'malformed';
  readonly message: string;
  readonly values: readonly string[];
}

/** The rows of an answer, and those that cannot be read. */
export interface ReadRows<T> {
  readonly rows: readonly T[];
  readonly partialErrors: readonly UnreadableRow[];
}

export interface RowsOptions<T> {
  /** The keys of a row whose values name it. */
  readonly named?: readonly string[] | undefined;
  /** Reads a list of which every row can be read. */
  readonly all?: z.ZodType<readonly T[]> | undefined;
}

/** A list that may be missing or null, row by row. A list without any readable row is an error. */
export function readRows<T>(
  row: z.ZodType<T>,
  { named = ['id'], all = z.array(row) }: RowsOptions<T> = {},
): z.ZodType<ReadRows<T>, unknown[] | null | undefined> {
  return z
    .array(z.unknown())
    .nullish()
    .transform((wires, context) => {
      const readable = all.safeParse(wires ?? []);
      if (readable.success) return { rows: readable.data, partialErrors: [] };
      const read = (wires ?? []).map((wire) => ({ wire, ...row.safeParse(wire) }));
      const rows = read.flatMap(({ success, data }) => (success ? [data] : []));
      if (rows.length > 0) {
        return { rows, partialErrors: read.flatMap(({ wire, error }) => (error ? [unreadable(wire, error, named)] : [])) };
      }
      for (const { path } of readable.error.issues) context.addIssue({ code: 'custom', path, message: 'is not as expected' });
      return z.NEVER;
    });
}

/** The same list, without the rows that cannot be read. */
export function listOf<T>(item: z.ZodType<T>): z.ZodType<readonly T[]> {
  return readRows(item).transform(({ rows }) => rows);
}

function unreadable(wire: unknown, { issues }: z.ZodError, named: readonly string[]): UnreadableRow {
  const entries = typeof wire === 'object' && wire !== null ? new Map(Object.entries(wire)) : new Map<string, unknown>();
  const names = named.map((key) => entries.get(key)).filter((name) => typeof name === 'string' || typeof name === 'number');
  const path = issues[0]?.path.join('.') || 'the whole row';
  return { fault: 'malformed', message: `A row of the answer is unreadable: ${path}.`, values: names.map(String) };
}

/** An instant as servers write it. */
export const instant = z.string().transform((text, context) => {
  const at = parseInstant(text);
  if (at) return at;
  context.addIssue('no instant');
  return z.NEVER;
});
