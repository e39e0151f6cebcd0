import { z } from 'zod';
import { Facets } from './facets.ts';
import { anything, maybe, maybeInstant } from './parts.ts';

const StrongRef = z.object({ uri: z.string(), cid: z.string() });
export type StrongRef = z.output<typeof StrongRef>;

const Reply = z.object({ root: StrongRef, parent: StrongRef });

/** What a post's author wrote, with whatever program. */
export const PostRecord = z.object({
  text: z.string().catch(''),
  createdAt: maybeInstant,
  facets: Facets,
  langs: maybe(z.array(z.string())),
  reply: maybe(Reply),
  embed: anything,
});
export type PostRecord = z.output<typeof PostRecord>;
