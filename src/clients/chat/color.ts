import { z } from 'zod';

/** The color of an edge: a number, or six hexadecimal digits as people know them from CSS. */
export const color = z.union([
  z.int().min(0).max(0xffffff),
  z.string().regex(/^#[\dA-Fa-f]{6}$/u, { error: 'a color is six hexadecimal digits after #' }),
]);

/** The color as Discord reads it. */
export function colorNumber(written: z.output<typeof color>): number {
  return typeof written === 'number' ? written : Number.parseInt(written.slice(1), 16);
}
