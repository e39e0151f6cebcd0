import type { JsonObject } from '#src/operation/json.ts';

/** The intents by their bits. */
export const INTENTS = {
  Guilds: 1 << 0,
  GuildMembers: 1 << 1,
  GuildMessages: 1 << 9,
  GuildMessageReactions: 1 << 10,
  GuildMessageTyping: 1 << 11,
  DirectMessages: 1 << 12,
  MessageContent: 1 << 15,
} as const;
export type Intent = keyof typeof INTENTS;

/** Something to tell the sessions of. */
export interface GatewayEvent {
  /** As `MESSAGE_CREATE`. */
  readonly name: string;
  /** Only sessions whose shard has this guild are told, while the bot is in it. */
  readonly guildId: string;
  /** Only sessions that asked for it are told; absent: all. */
  readonly intent?: Intent | undefined;
  readonly data: JsonObject;
  /** What sessions without the intent `MessageContent` are told instead. */
  readonly withoutContent?: JsonObject | undefined;
}
