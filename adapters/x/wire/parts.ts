import { z } from 'zod';
import { parseInstant } from '#src/http/instant.ts';

/** Absent and null are the same, and so is what cannot be read. */
export function maybe<T>(schema: z.ZodType<T>): z.ZodType<T | undefined> {
  return schema
    .nullish()
    .transform((value) => value ?? undefined)
    .catch(undefined);
}

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

export const instant = z.string().transform((text, context) => {
  const parsed = parseInstant(text);
  if (parsed) return parsed;
  context.addIssue({ code: 'custom', message: 'no instant' });
  return z.NEVER;
});

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

/** Newest first, by their ids. */
export function byIdDescending(one: { readonly id: string }, other: { readonly id: string }): number {
  if (one.id.length !== other.id.length) return other.id.length - one.id.length;
  return one.id < other.id ? 1 : one.id > other.id ? -1 : 0;
}
