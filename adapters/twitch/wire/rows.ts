import { z } from 'zod';
import { readRows, type ReadRows } from '#src/http/lenient.ts';

/** A record as far as the answer says it. */
export type Row<T> = Omit<T, 'fetchedAt'>;

/** What every list of Helix answers with. */
export interface Rows<T> extends ReadRows<T> {
  /** Where the next answer starts; absent at the end. */
  readonly cursor: string | undefined;
}

/** Helix never answers null for a list. */
const List = z.array(z.unknown()).transform((rows): unknown[] | null | undefined => rows);

/** Reads a list of Helix row by row. Compiled, since a schema that is walked takes longer than all else about a page. */
export function rowsOf<T>(row: z.ZodType<T>, named?: readonly string[]): z.ZodType<Rows<T>> {
  const all = z.compile(z.array(row), { strict: true });
  return z
    .object({ data: List.pipe(readRows(row, { named, all })), pagination: z.object({ cursor: z.string().optional() }).nullish() })
    .transform(({ data, pagination }) => ({ ...data, cursor: pagination?.cursor || undefined }));
}

/** Longer than what Helix ends its lists with. */
const LONGEST_END = 1000;
/** Where JSON ends so, this is a member of the outermost object: no text inside it can have these quotes, and none is open behind them. */
const CURSOR_AT_END = /[,{]"pagination":\{"cursor":"([\w+/=-]+)"\}\}\s*$/;

/** The cursor of an answer that is not parsed yet, where it is the last thing that the answer says; absent where that is not certain. */
export function cursorAtEnd(text: string): string | undefined {
  return CURSOR_AT_END.exec(text.slice(-LONGEST_END))?.[1];
}
