import { z } from 'zod';
import { count, filled, rowsOf } from './parts.ts';

/** A hashtag, with how much it was used on each of the last days. */
export const TagRow = z.object({ name: z.string().min(1), url: filled, history: rowsOf(z.object({ uses: count })) });
export type TagRow = z.output<typeof TagRow>;

/** In how many posts of the last days it stood; undefined where the server does not say. */
export function postCountOf({ history }: TagRow): number | undefined {
  return history.length === 0 ? undefined : history.reduce((sum, { uses }) => sum + uses, 0);
}
