import { z } from 'zod';
import type { Journal } from '../../journal.ts';
import { BOT_ROLE_ID, GUILD_ID, MODERATOR_ROLE_ID } from './identity.ts';
import { PERMISSIONS, type Permission } from './permissions.ts';

const COLLECTION = 'discord.channels';

const Permissions = z.array(z.custom<Permission>((name) => typeof name === 'string' && name in PERMISSIONS)).readonly();

/** Where people write: `news` can be published to other servers, `forum` and `media` hold nothing but threads, `voice` has a chat. */
const Kind = z.enum(['text', 'news', 'forum', 'media', 'voice']);

/** What the posts of a forum can be marked with. */
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

const hidden: Channel['overwrites'] = [
  { id: GUILD_ID, of: 'role', allow: [], deny: ['ViewChannel'] },
  { id: MODERATOR_ROLE_ID, of: 'role', allow: ['ViewChannel'], deny: [] },
  { id: BOT_ROLE_ID, of: 'role', allow: ['ViewChannel'], deny: [] },
];

interface Planned {
  readonly name: string;
  readonly topic: string;
  readonly kind?: Channel['kind'];
  readonly overwrites?: Channel['overwrites'];
  readonly tags?: Channel['tags'];
  readonly requiresTag?: boolean;
}

const plan: readonly Planned[] = [
  { name: 'stream-news', topic: 'Who enters the top five' },
  { name: 'live', topic: 'Who is live right now' },
  { name: 'general', topic: 'Talk, and ask the bot' },
  { name: 'moderators', topic: 'Not for everyone', overwrites: hidden },
  { name: 'valorant', topic: 'All things VALORANT' },
  { name: 'puzzles', topic: '2048 and its kin' },
  { name: 'announcements', topic: 'For other servers, too', kind: 'news' },
  { name: 'guides', topic: 'One thread a question', kind: 'forum' },
  {
    name: 'questions',
    topic: 'With a tag, please',
    kind: 'forum',
    requiresTag: true,
    tags: [
      { id: '1202584131993600020', name: 'Open', moderated: false },
      { id: '1202584131993600021', name: 'Solved', moderated: false },
      { id: '1202584131993600022', name: 'Official', moderated: true },
    ],
  },
  { name: 'gallery', topic: 'Pictures', kind: 'media' },
  { name: 'lounge', topic: 'Talk while you play', kind: 'voice' },
];

const FIRST_CHANNEL_ID = 1_202_584_131_993_600_010n;

/** The channels of the guild, and their threads. What differs from the plan is in the journal. */
export class Channels {
  readonly #journal: Journal;
  readonly #byId = new Map<string, Channel>();

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const [position, { name, topic, kind = 'text', overwrites = [], tags = [], requiresTag = false }] of plan.entries()) {
      const id = String(FIRST_CHANNEL_ID + BigInt(position));
      this.#byId.set(id, { id, name, kind, topic, position, overwrites, tags, requiresTag });
    }
    for (const document of journal.all(COLLECTION)) {
      const channel = Channel.parse(document);
      this.#byId.set(channel.id, channel);
    }
  }

  all(): readonly Channel[] {
    return [...this.#byId.values()];
  }

  find(id: string): Channel | undefined {
    return this.#byId.get(id);
  }

  /** By name, with or without `#`, or id. */
  findNamed(name: string): Channel | undefined {
    const bare = name.replace(/^#/, '');
    return this.#byId.get(bare) ?? this.all().find((channel) => channel.name === bare);
  }

  /** What is gone is gone until the sandbox starts anew. */
  remove({ id }: Channel): void {
    for (const [each, { thread }] of this.#byId) if (each === id || thread?.parentId === id) this.#byId.delete(each);
  }

  put(channel: Channel): void {
    this.#byId.set(channel.id, channel);
    this.#journal.put(COLLECTION, channel.id, channel);
  }
}
