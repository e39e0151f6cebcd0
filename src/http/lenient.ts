import { z } from 'zod';
import { parseInstant } from './instant.ts';

/** A part of an answer that is left out where it is absent, null, or cannot be read. */
export function maybe<T>(part: z.ZodType<T>): z.ZodType<T | undefined> {
  return part
    .nullish()
    .catch(undefined)
    .transform((value) => value ?? undefined);
}

/** A list that may be missing or null. An item that nobody can read is left out, unless that is all of them: then it is another list. */
export function listOf<T>(item: z.ZodType<T>): z.ZodType<readonly T[]> {
  return z
    .array(z.unknown())
    .nullish()
    .transform((items, context) => {
      const read = (items ?? []).map((one) => item.safeParse(one));
      const good = read.flatMap(({ success, data }) => (success ? [data] : []));
      const [first] = read;
      if (good.length > 0 || !first || first.success) return good;
      for (const { path } of first.error.issues) context.addIssue({ code: 'custom', path: [0, ...path], message: 'is not as expected' });
      return z.NEVER;
    });
}

/** An instant as servers write it. */
export const instant = z.string().transform((text, context) => {
  const at = parseInstant(text);
  if (at) return at;
  context.addIssue('no instant');
  return z.NEVER;
});
