import { z } from 'zod';
import { parseInstant } from '#src/http/instant.ts';
import { listOf } from '#src/http/lenient.ts';

export { maybe } from '#src/http/lenient.ts';
export { listOf };

/** A text that may be missing, null, empty or something else altogether. */
export const maybeText = z
  .string()
  .nullish()
  .catch(undefined)
  .transform((text) => text || undefined);

export const maybeCount = z
  .int()
  .min(0)
  .nullish()
  .catch(undefined)
  .transform((count) => count ?? undefined);

export const maybeInstant = maybeText.transform((text) => (text === undefined ? undefined : parseInstant(text)));

export const flag = z
  .boolean()
  .nullish()
  .catch(undefined)
  .transform((is) => is ?? false);

/** Something that is looked at later, if it is there. */
export const anything = z.unknown().optional();

/** What a list may hold in the place of what is not shown: those are left out. */
export function shownOf<T>(item: z.ZodType<T>): z.ZodType<readonly T[]> {
  const NotShown = z.union([z.looseObject({ notFound: z.literal(true) }), z.looseObject({ blocked: z.literal(true) })]);
  const each = z.union([NotShown.transform(() => undefined), item]);
  return listOf(each).transform((items) => items.filter((one) => one !== undefined));
}
