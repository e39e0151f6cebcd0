import { z } from 'zod';

/** A record as far as the answer says it. */
export type Row<T> = Omit<T, 'fetchedAt'>;

/** What every list of Helix answers with. */
export interface Rows<T> {
  readonly rows: readonly T[];
  /** Where the next answer starts; absent at the end. */
  readonly cursor: string | undefined;
}

/** Reads a list of Helix row by row. Compiled, since a schema that is walked takes longer than all else about a page. */
export function rowsOf<T>(row: z.ZodType<T>): z.ZodType<Rows<T>> {
  const answer = z
    .object({ data: z.array(row), pagination: z.object({ cursor: z.string().optional() }).nullish() })
    .transform(({ data, pagination }) => ({ rows: data, cursor: pagination?.cursor || undefined }));
  return z.compile(answer, { strict: true });
}

/** Longer than what Helix ends its lists with. */
const LONGEST_END = 1000;
/** Where JSON ends so, this is a member of the outermost object: no text inside it can have these quotes, and none is open behind them. */
const CURSOR_AT_END = /[,{]"pagination":\{"cursor":"([\w+/=-]+)"\}\}\s*$/;

/** The cursor of an answer that is not parsed yet, where it is the last thing that the answer says; absent where that is not certain. */
export function cursorAtEnd(text: string): string | undefined {
  return CURSOR_AT_END.exec(text.slice(-LONGEST_END))?.[1];
}
