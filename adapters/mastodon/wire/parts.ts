import { z } from 'zod';
import { parseInstant } from '#src/http/lenient.ts';

export { instant, listOf as rowsOf } from '#src/http/lenient.ts';

/** The platform, as records and errors name it. */
export const PLATFORM = 'mastodon';

/** Some servers number what others name. */
export const id = z.union([z.string().min(1), z.number()]).transform(String);

/** An empty text, or null, says that there is none. */
export const filled = z
  .string()
  .nullish()
  .transform((text) => text || undefined);

/** An address of the web; what else a server gives for one is none: where a file is wanted it would be one of this machine. */
export const address = filled.transform((text) => (text !== undefined && /^https?:\/\//iu.test(text) ? text : undefined));

/** One part of an answer: if it cannot be read, it is undefined, and the other parts still count. */
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
