import { z } from 'zod';
import { PERMISSIONS, type Permission } from './permissions.ts';

const Permissions = z.array(z.custom<Permission>((name) => typeof name === 'string' && name in PERMISSIONS)).readonly();

/** `news` channels can publish messages to other servers. `forum` and `media` contain only threads. `voice` has a chat. */
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
  /** The user of a channel of direct messages. */
  recipientId: z.string().optional(),
  thread: z
    .object({
      parentId: z.string(),
      ownerId: z.string(),
      autoArchiveMinutes: z.int(),
      /** Whether the bot joined a thread that another user opened. */
      joined: z.boolean().optional(),
      archived: z.boolean().default(false),
      locked: z.boolean().default(false),
      /** The time of the last archiving or reopening, in Discord's format. */
      archiveChangedAt: z.string().optional(),
      /** The tags of a forum post. */
      tagIds: z.array(z.string()).readonly().default([]),
    })
    .optional(),
});
export type Channel = z.output<typeof Channel>;

/** Whether the channel contains only threads. */
export function isForum({ kind, thread }: Channel): boolean {
  return (kind === 'forum' || kind === 'media') && thread === undefined;
}
