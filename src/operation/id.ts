import { z } from 'zod';
import { ValidationError } from '#src/errors.ts';

/** An id or a name as a call gives it. */
export type IdValue = string | number | bigint;

/**
 * An id as text; `path` is the parameter that the error names.
 * A JavaScript number above 2^53 has already lost digits, so that its text is the id of something else.
 */
export function idText(id: IdValue, path: string): string {
  if (typeof id === 'string') return id;
  if (id >= 0 && (typeof id === 'bigint' || Number.isSafeInteger(id))) return String(id);
  const isTooLarge = typeof id === 'number' && Number.isInteger(id) && id > 0;
  const reason = isTooLarge ? 'a JavaScript number does not keep all digits of an id this large' : 'an id has digits only';
  throw new ValidationError(`${path}: ${id} is not an id: ${reason}. Pass the id as a string.`, { path });
}

/** A name as people write it, without the `@` before it. */
export function bareName(name: string): string {
  return name.replace(/^@/u, '');
}

/** A user as a parameter: a handle, with or without `@`, or an id. */
export function userText(): z.ZodString {
  return z.string().overwrite(bareName).min(1);
}
