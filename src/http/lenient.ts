import { z } from 'zod';

const ZONELESS = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)$/;

/** Parses ISO 8601 or an HTTP date; without a zone, UTC applies. */
export function parseInstant(text: string): Date | undefined {
  const zoneless = text.endsWith('Z') ? undefined : ZONELESS.exec(text.trim());
  const instant = new Date(zoneless ? `${zoneless[1]}T${zoneless[2]}Z` : text);
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}

/** A part of a response that is undefined if it is absent, null or unreadable. */
export function maybe<T>(part: z.ZodType<T>): z.ZodType<T | undefined> {
  return part
    .nullish()
    .catch(undefined)
    .transform((value) => value ?? undefined);
}

/** An unreadable row: the values of the request that it concerns, and the reason. */
interface UnreadableRow {
  readonly fault: 'malformed';
  readonly message: string;
  readonly values: readonly string[];
}

/** The readable and the unreadable rows of a response. */
export interface ReadRows<T> {
  readonly rows: readonly T[];
  readonly partialErrors: readonly UnreadableRow[];
}

interface RowsOptions<T> {
  /** The keys whose values identify a row. */
  readonly named?: readonly string[] | undefined;
  /** Makes the schema of a list whose rows are all readable. The first list calls it. */
  readonly all?: (() => z.ZodType<readonly T[]>) | undefined;
}

/** A list, possibly missing or null, parsed row by row. A list without a readable row is an error. */
export function readRows<T>(
  row: z.ZodType<T>,
  { named = ['id'], all = () => z.array(row) }: RowsOptions<T> = {},
): z.ZodType<ReadRows<T>, unknown[] | null | undefined> {
  let list: z.ZodType<readonly T[]> | undefined;
  return z
    .array(z.unknown())
    .nullish()
    .transform((wires, context) => {
      list ??= all();
      const readable = list.safeParse(wires ?? []);
      if (readable.success) return { rows: readable.data, partialErrors: [] };
      const read = (wires ?? []).map((wire) => ({ wire, ...row.safeParse(wire) }));
      const rows = read.flatMap(({ success, data }) => (success ? [data] : []));
      if (rows.length > 0) {
        return { rows, partialErrors: read.flatMap(({ wire, error }) => (error ? [unreadable(wire, error, named)] : [])) };
      }
      for (const { path } of readable.error.issues) context.addIssue({ code: 'custom', path, message: 'is not as documented' });
      return z.NEVER;
    });
}

/** The list without unreadable rows. */
export function listOf<T>(item: z.ZodType<T>): z.ZodType<readonly T[]> {
  return readRows(item).transform(({ rows }) => rows);
}

function unreadable(wire: unknown, { issues }: z.ZodError, named: readonly string[]): UnreadableRow {
  const entries = typeof wire === 'object' && wire !== null ? new Map(Object.entries(wire)) : new Map<string, unknown>();
  const names = named.map((key) => entries.get(key)).filter((name) => typeof name === 'string' || typeof name === 'number');
  const path = issues[0]?.path.join('.') || 'the whole row';
  return { fault: 'malformed', message: `A row of the response is invalid: ${path}.`, values: names.map(String) };
}

/** An instant as servers write it. */
export const instant = z.string().transform((text, context) => {
  const parsed = parseInstant(text);
  if (parsed) return parsed;
  context.addIssue('not a timestamp');
  return z.NEVER;
});

/** Parses JSON; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
