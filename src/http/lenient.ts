import { z } from 'zod';
import { parseInstant } from './parse-instant.ts';

type Issues = z.core.ParsePayload['issues'];

/**
 * A schema that derives its output from the output of another schema; an invalid value adds to `issues`.
 *
 * `transform` of zod gives each value a function that refers to it. V8 keeps such values until the next full collection, which tripled
 * the memory of a page.
 */
export function derived<I, A, B>(schema: z.ZodType<A, I>, derive: (value: A, issues: Issues) => B): z.ZodType<B, I> {
  const transform = new z.core.$ZodTransform({ type: 'transform', transform: (value, { issues }) => derive(value as A, issues) }); // the output of `schema`
  return z.pipe(schema, transform as z.core.$ZodTransform<B, A>); // the types of `derive`
}

/** A part of a response that is undefined if it is absent, null or unreadable. */
export function maybe<T>(part: z.ZodType<T>): z.ZodType<T | undefined> {
  return derived(part.nullish().catch(undefined), (value) => value ?? undefined);
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

/** The most rows of a list. Mastodon sends up to 4,096 replies of a post. */
const MOST_ROWS = 10_000;
/** The most unreadable rows of a list with partial errors. */
const MOST_UNREADABLE = 1000;

interface ListOptions {
  /** Whether an absent list is an error, because the answer then is not the API's; null stays an empty list. */
  readonly isRequired?: boolean | undefined;
  /** Whether a row is a placeholder, which the list omits. */
  readonly isHidden?: ((wire: unknown) => boolean) | undefined;
}

interface RowsOptions<T> extends ListOptions {
  /** The keys whose values identify a row. */
  readonly named?: readonly string[] | undefined;
  /** Makes a faster schema of a row. The first list calls it. */
  readonly faster?: (() => z.ZodType<T>) | undefined;
}

/** A list, possibly missing or null, parsed row by row. A list without a readable row, or with too many unreadable ones, is an error. */
export function readRows<T>(
  row: z.ZodType<T>,
  { isRequired = false, named = ['id'], isHidden = () => false, faster = () => row }: RowsOptions<T> = {},
): z.ZodType<ReadRows<T>, unknown[] | null | undefined> {
  let fast: z.ZodType<T> | undefined;
  return derived(isRequired ? PresentList : List, (wires, issues) => {
    fast ??= faster();
    const rows: T[] = [];
    const partialErrors: UnreadableRow[] = [];
    for (const [index, wire] of wires.entries()) {
      if (isHidden(wire)) continue;
      const read = fast.safeParse(wire);
      if (read.success) rows.push(read.data);
      else if (partialErrors.length === MOST_UNREADABLE) return reject(issues, index, read.error);
      else partialErrors.push(unreadable(wire, read.error, named));
    }
    const isUnreadable = rows.length === 0 && wires.length > 0 && !wires.some(isHidden);
    return isUnreadable ? reject(issues, 0, row.safeParse(wires[0]).error) : { rows, partialErrors };
  });
}

/** The list without unreadable rows. A list without a readable row is an error. */
export function listOf<T>(row: z.ZodType<T>, { isRequired = false, isHidden = () => false }: ListOptions = {}): z.ZodType<readonly T[]> {
  return derived(isRequired ? PresentList : List, (wires, issues) => {
    // The error of a row is made when it is read, which takes longer than the parsing.
    const rows = wires.flatMap((wire) => {
      const read = isHidden(wire) ? undefined : row.safeParse(wire);
      return read?.success ? [read.data] : [];
    });
    const isUnreadable = rows.length === 0 && wires.length > 0 && !wires.some(isHidden);
    return isUnreadable ? reject(issues, 0, row.safeParse(wires[0]).error) : rows;
  });
}

/** A list whose first unreadable row is an error. `z.array` collects the errors of all rows, which takes the memory of many responses. */
export function arrayOf<T>(row: z.core.$ZodType<T>): z.ZodType<T[]> {
  return derived(Wires, (wires, issues) => {
    const rows: T[] = [];
    for (const [index, wire] of wires.entries()) {
      const read = z.safeParse(row, wire);
      if (!read.success) return reject(issues, index, read.error);
      rows.push(read.data);
    }
    return rows;
  });
}

const Wires = z.array(z.unknown()).max(MOST_ROWS);
const List = derived(Wires.nullish(), (wires) => wires ?? []);
const PresentList: typeof List = derived(Wires.nullable(), (wires) => wires ?? []) as never; // an absent list is rejected

/** Rejects a list because of one row. */
function reject(issues: Issues, index: number, error: z.ZodError | undefined): never {
  issues.push({ code: 'custom', path: [index, ...(error?.issues[0]?.path ?? [])], message: 'is not as documented', input: undefined });
  return z.NEVER;
}

function unreadable(wire: unknown, { issues }: z.ZodError, named: readonly string[]): UnreadableRow {
  const entries = typeof wire === 'object' && wire !== null ? new Map(Object.entries(wire)) : new Map<string, unknown>();
  const names = named.map((key) => entries.get(key)).filter((name) => typeof name === 'string' || typeof name === 'number');
  const path = issues[0]?.path.join('.') || 'the whole row';
  return { fault: 'malformed', message: `A row of the response is invalid: ${path}.`, values: names.map(String) };
}

/** An instant as servers write it. */
export const instant = derived(z.string(), (text, issues) => {
  const parsed = parseInstant(text);
  if (parsed) return parsed;
  issues.push({ code: 'custom', message: 'not a timestamp', input: text });
  return z.NEVER;
});
