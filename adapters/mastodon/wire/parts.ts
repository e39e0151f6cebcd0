import { z } from 'zod';
import { parseInstant } from '#src/http/parse-instant.ts';

export { instant, listOf as rowsOf } from '#src/http/lenient.ts';

/** The platform, as records and errors name it. */
export const PLATFORM = 'mastodon';

/** An id as text; some servers have numbers. */
export const id = z.union([z.string().min(1), z.number()]).transform(String);

/** A text that is absent if empty or null. */
export const filled = z
  .string()
  .nullish()
  .transform((text) => text || undefined);

/** A web address. Any other text is ignored, because it would name a local file. */
export const address = filled.transform((text) => (text !== undefined && /^https?:\/\//iu.test(text) ? text : undefined));

/** A part of a response that is undefined if it is unreadable. */
export function part<T>(schema: z.ZodType<T>): z.ZodType<T | undefined> {
  return schema.or(
    z
      .unknown()
      .optional()
      .transform(() => undefined),
  );
}

export const fileCount = z
  .array(z.unknown())
  .nullish()
  .transform((files) => files?.length ?? 0);

/** Text that may be missing. */
export const text = z
  .string()
  .nullish()
  .transform((text) => text ?? '');

export const instantIfAny = z
  .string()
  .nullish()
  .transform((text) => (text ? parseInstant(text) : undefined));

/** A number; undefined if the server does not state it. Trends have numbers as text. */
export const countIfAny = z
  .union([z.number(), z.string().regex(/^\d+$/)])
  .nullish()
  .transform((count) => (count === null || count === undefined ? undefined : Math.max(0, Math.trunc(Number(count)))));

export const count = countIfAny.transform((number) => number ?? 0);

export const flag = z
  .boolean()
  .nullish()
  .transform((on) => on ?? false);
