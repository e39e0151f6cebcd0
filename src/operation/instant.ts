import { z } from 'zod';

/** An instant as a parameter: a `Date`, or ISO 8601 with its offset. */
export function instant(): z.ZodType<Date, Date | string> {
  return z.union([z.date(), z.iso.datetime({ offset: true })]).transform((given) => new Date(given));
}
