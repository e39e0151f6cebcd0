import { z } from 'zod';
import { parseInstant } from '#src/http/instant.ts';

/** The platform, as records and errors name it. */
export const PLATFORM = 'mastodon';

/** Some servers number what others name. */
export const id = z.union([z.string().min(1), z.number()]).transform(String);

/** An empty text, or null, says that there is none. */
export const filled = z
  .string()
  .nullish()
  .transform((text) => text || undefined);

/** Text that may be missing. */
export const words = z
  .string()
  .nullish()
  .transform((text) => text ?? '');

/** Some servers write instants without `T` or zone. */
export const instant = z.string().transform((text, context) => {
  const at = parseInstant(text);
  if (at) return at;
  context.addIssue('no instant');
  return z.NEVER;
});

export const instantIfAny = z
  .string()
  .nullish()
  .transform((text) => (text ? parseInstant(text) : undefined));

/** How many; undefined where the server does not say. Days of trends come as texts. */
export const countIfAny = z
  .union([z.number(), z.string().regex(/^\d+$/)])
  .nullish()
  .transform((count) => (count === null || count === undefined ? undefined : Math.max(0, Math.trunc(Number(count)))));

export const count = countIfAny.transform((number) => number ?? 0);

export const flag = z
  .boolean()
  .nullish()
  .transform((on) => on ?? false);

/** Some servers answer null for an empty list. */
export function rowsOf<T>(row: z.ZodType<T>): z.ZodType<readonly T[]> {
  return z
    .array(row)
    .nullish()
    .transform((rows) => rows ?? []);
}
