import type { SocialAsync } from '#src/clients/social/social.ts';
import type { Bot } from '#src/clients/streaming/bot.ts';

/** A streaming client, for look-ups. */
export type StreamingClient = Bot;
/** A social client, for look-ups. */
export type SocialClient = SocialAsync;

/** The clients that look-ups read, by account. The first one is the default. */
export interface LookupClients {
  readonly streaming: ReadonlyMap<string, StreamingClient>;
  readonly social: ReadonlyMap<string, SocialClient>;
}
