import type { z } from 'zod';

/** An opaque cursor with a position. */
export function toCursor(position: object): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** The position in a cursor; undefined if the cursor is not valid. */
export function fromCursor<T>(schema: z.ZodType<T>, cursor: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(Buffer.from(cursor, 'base64url').toString())).data;
  } catch {
    return undefined;
  }
}
