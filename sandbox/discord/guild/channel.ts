import { z } from 'zod';
import { PERMISSIONS, type Permission } from './permissions.ts';

const Permissions = z.array(z.custom<Permission>((name) => typeof name === 'string' && name in PERMISSIONS)).readonly();

/** Where people write: `news` can be published to other servers, `forum` and `media` hold nothing but threads, `voice` has a chat. */
const Kind = z.enum(['text', 'news', 'forum', 'media', 'voice']);

/** The tags of a forum. */
const Tag = z.object({ id: z.string(), name: z.string(), moderated: z.boolean().default(false) });

/** A channel, or a thread in one. */
export const Channel = z.object({
  id: z.string(),
  name: z.string(),
  kind: Kind.default('text'),
  topic: z.string().optional(),
  position: z.int(),
  tags: z.array(Tag).readonly().default([]),
  /** Whether a post needs a tag. */
  requiresTag: z.boolean().default(false),
  overwrites: z.array(z.object({ id: z.string(), of: z.enum(['role', 'member']), allow: Permissions, deny: Permissions })).readonly(),
  /** A thread's place and maker. */
  thread: z
    .object({
      parentId: z.string(),
      ownerId: z.string(),
      autoArchiveMinutes: z.int(),
      /** Whether the bot went in, where another opened it. */
      joined: z.boolean().optional(),
      archived: z.boolean().default(false),
      locked: z.boolean().default(false),
      /** When it was archived or opened last, as Discord writes it. */
      archiveChangedAt: z.string().optional(),
      /** Of a post in a forum. */
      tagIds: z.array(z.string()).readonly().default([]),
    })
    .optional(),
});
export type Channel = z.output<typeof Channel>;

/** Whether it holds nothing but threads. */
export function isForum({ kind, thread }: Channel): boolean {
  return (kind === 'forum' || kind === 'media') && thread === undefined;
}
