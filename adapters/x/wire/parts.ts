import { z } from 'zod';
import { countIn as wholeIn, filledIn } from '#src/http/values.ts';

export { instant, maybe } from '#src/http/lenient.ts';

/** A list without its unreadable rows. */
export function rowsOf<T>(row: z.ZodType<T>): z.ZodType<readonly T[]> {
  return z
    .array(z.unknown())
    .nullish()
    .catch(undefined)
    .transform((rows) =>
      (rows ?? []).flatMap((one) => {
        const parsed = row.safeParse(one);
        return parsed.success ? [parsed.data] : [];
      }),
    );
}

/** An id as text; some responses have numbers. */
export const id = z.union([z.string().min(1), z.number().transform(String)]);

/** The id as text; undefined for any other value. */
export function idIn(wire: unknown): string | undefined {
  return filledIn(typeof wire === 'number' ? String(wire) : wire);
}

/** The number; some responses have texts. */
export function countIn(wire: unknown): number | undefined {
  return wholeIn(typeof wire === 'string' ? Number(wire) : wire);
}

export const count = z.coerce.number().int().min(0);

/** A text that is absent if empty. */
export const filled = z.string().transform((text) => text || undefined);

/** The epoch of Twitter's ids. */
const EPOCH_MS = 1_288_834_974_657n;

/** The creation time in an id. */
export function instantOf(snowflake: string): Date | undefined {
  if (!/^\d{10,19}$/.test(snowflake)) return undefined;
  return new Date(Number((BigInt(snowflake) >> 22n) + EPOCH_MS));
}

/** An instant without fractions of a second, as X requires. */
export function toSecond(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Compares by id, newest first. */
export function byIdDescending(one: { readonly id: string }, other: { readonly id: string }): number {
  if (one.id.length !== other.id.length) return other.id.length - one.id.length;
  return one.id < other.id ? 1 : one.id > other.id ? -1 : 0;
}
