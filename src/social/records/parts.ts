import { z } from 'zod';

/** When the platform said so. */
export const fetchedAt = z.date().describe('When the platform said so.');

/** How many; absent is not known, never 0. */
export const count = z.int().min(0);

/** A place in a text that means something: offsets in UTF-16, as JavaScript counts. */
export const Entity = z.object({
  type: z.enum(['url', 'mention', 'hashtag', 'cashtag', 'emoji']),
  start: count,
  end: count,
  url: z.string().optional(),
  userId: z.string().optional(),
});
