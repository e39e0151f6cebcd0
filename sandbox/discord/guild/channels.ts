import type { Journal } from '../../journal.ts';
import { Channel } from './channel.ts';
import type { GuildPlan } from './plan.ts';

const COLLECTION = 'discord.channels';

/** The channels of a guild and their threads. The journal has the differences from the plan. */
export class Channels {
  readonly #journal: Journal;
  readonly #byId = new Map<string, Channel>();
  readonly #removed = new Set<string>();

  constructor(journal: Journal, plan: GuildPlan) {
    this.#journal = journal;
    for (const [position, { name, topic, kind = 'text', hidden = false, tags = [], requiresTag = false }] of plan.channels.entries()) {
      const id = String(plan.firstChannelId + BigInt(position));
      this.#byId.set(id, { id, name, kind, topic, position, overwrites: hidden ? hiding(plan) : [], tags, requiresTag });
    }
    for (const document of journal.all(COLLECTION)) {
      const channel = Channel.parse(document);
      this.#byId.set(channel.id, channel);
    }
  }

  /** The channels of the guild, without direct messages. */
  all(): readonly Channel[] {
    return [...this.#byId.values()].filter(({ recipientId }) => recipientId === undefined);
  }

  /** The channel of the direct messages between the bot and a user. */
  findDirect(userId: string): Channel | undefined {
    return [...this.#byId.values()].find(({ recipientId }) => recipientId === userId);
  }

  find(id: string): Channel | undefined {
    return this.#byId.get(id);
  }

  /** Finds a channel by name, with or without `#`, or by id. */
  findNamed(name: string): Channel | undefined {
    const bare = name.replace(/^#/, '');
    return this.#byId.get(bare) ?? this.all().find((channel) => channel.name === bare);
  }

  /** A deleted channel stays deleted until the sandbox restarts. */
  remove({ id }: Channel): void {
    for (const [each, { thread }] of this.#byId) {
      if (each !== id && thread?.parentId !== id) continue;
      this.#byId.delete(each);
      this.#removed.add(each);
    }
  }

  /** Adds a text channel with a number as its name. */
  add(id: string): Channel {
    const position = this.all().length;
    const channel = Channel.parse({ id, name: `channel-${position}`, position, overwrites: [] });
    this.put(channel);
    return channel;
  }

  /** Whether the guild has or had this channel. */
  knows(id: string): boolean {
    return this.#byId.has(id) || this.#removed.has(id);
  }

  put(channel: Channel): void {
    this.#byId.set(channel.id, channel);
    this.#journal.put(COLLECTION, channel.id, channel);
  }
}

function hiding({ id, roleIds }: GuildPlan): Channel['overwrites'] {
  return [
    { id, of: 'role', allow: [], deny: ['ViewChannel'] },
    { id: roleIds.moderator, of: 'role', allow: ['ViewChannel'], deny: [] },
    { id: roleIds.bot, of: 'role', allow: ['ViewChannel'], deny: [] },
  ];
}
