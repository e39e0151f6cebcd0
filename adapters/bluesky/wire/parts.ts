import { z } from 'zod';
import { objectIn } from '#src/http/values.ts';
import { listOf, readRows, type ReadRows } from '#src/http/lenient.ts';
import { parseInstant } from '#src/http/parse-instant.ts';

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

/** Whether the item is a placeholder for a hidden item. */
function isHidden(wire: unknown): boolean {
  const item = objectIn(wire);
  return item?.['notFound'] === true || item?.['blocked'] === true;
}

/** A list without placeholders for hidden items. */
export function shownRows<T>(item: z.ZodType<T>, { isRequired }: { readonly isRequired?: boolean } = {}): z.ZodType<ReadRows<T>> {
  return readRows(item, { isRequired, named: ['uri', 'did'], isHidden });
}

/** The list without placeholders and unreadable rows. */
export function shownOf<T>(item: z.ZodType<T>): z.ZodType<readonly T[]> {
  return listOf(item, { isHidden });
}
