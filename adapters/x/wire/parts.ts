import { z } from 'zod';

export { instant, maybe } from '#src/http/lenient.ts';

/** A list whose rows that cannot be read are left out. */
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

/** An id is a text, also where a number came. */
export const id = z.union([z.string().min(1), z.number().transform(String)]);

export const count = z.coerce.number().int().min(0);

/** An empty text says that there is none. */
export const filled = z.string().transform((text) => text || undefined);

/** When Twitter began to count ids. */
const EPOCH_MS = 1_288_834_974_657n;

/** When the thing with this id came into being. */
export function instantOf(snowflake: string): Date | undefined {
  if (!/^\d{10,19}$/.test(snowflake)) return undefined;
  return new Date(Number((BigInt(snowflake) >> 22n) + EPOCH_MS));
}

/** As X takes instants: without parts of seconds. */
export function toSecond(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Newest first, by their ids. */
export function byIdDescending(one: { readonly id: string }, other: { readonly id: string }): number {
  if (one.id.length !== other.id.length) return other.id.length - one.id.length;
  return one.id < other.id ? 1 : one.id > other.id ? -1 : 0;
}
