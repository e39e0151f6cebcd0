import type { JsonObject } from '#src/clients/operation/json.ts';

/** The bits of the intents. */
export const INTENTS = {
  Guilds: 1 << 0,
  GuildMembers: 1 << 1,
  GuildVoiceStates: 1 << 7,
  GuildPresences: 1 << 8,
  GuildMessages: 1 << 9,
  GuildMessageReactions: 1 << 10,
  GuildMessageTyping: 1 << 11,
  DirectMessages: 1 << 12,
  MessageContent: 1 << 15,
} as const;
export type Intent = keyof typeof INTENTS;

/** An event for the sessions. */
export interface GatewayEvent {
  /** As `MESSAGE_CREATE`. */
  readonly name: string;
  /** The guild of the event. Only sessions with the shard of this guild receive it. */
  readonly guildId: string;
  /** Only sessions with this intent receive the event. Absent: all sessions. */
  readonly intent?: Intent | undefined;
  readonly data: JsonObject;
  /** The data for sessions without the intent `MessageContent`. */
  readonly withoutContent?: JsonObject | undefined;
}
