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
