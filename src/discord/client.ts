import { once } from 'node:events';
import { Client, Events, GatewayIntentBits, Options } from 'discord.js';

export interface LoginOptions {
  readonly token: string;
  readonly apiUrl: string;
  readonly signal: AbortSignal;
  /** Gets the client before anything can happen on it. */
  readonly prepare: (client: Client) => void;
}

/** A client of Discord that is online. It hears of commands only, keeps little in memory, and pings nobody. */
export async function login({ token, apiUrl, signal, prepare }: LoginOptions): Promise<Client<true>> {
  const client = new Client({
    intents: [GatewayIntentBits.Guilds],
    allowedMentions: { parse: [], repliedUser: false },
    // All of this would only grow: nothing here reads it.
    makeCache: Options.cacheWithLimits({
      GuildEmojiManager: 0,
      GuildMemberManager: 0,
      GuildStickerManager: 0,
      MessageManager: 0,
      PresenceManager: 0,
      ReactionManager: 0,
      StageInstanceManager: 0,
      ThreadManager: 0,
      ThreadMemberManager: 0,
      UserManager: 0,
      VoiceStateManager: 0,
    }),
    rest: { api: apiUrl, version: '10' },
  });
  prepare(client);
  const over = new AbortController();
  try {
    const ready = once(client, Events.ClientReady, { signal: AbortSignal.any([signal, over.signal]) });
    await Promise.all([ready, client.login(token)]);
    if (client.isReady()) return client;
    throw new Error('Discord said that the client is ready, and it is not');
  } catch (error) {
    await client.destroy();
    throw error;
  } finally {
    // Where the login failed, nobody waits any more: else each attempt would hold on to its client.
    over.abort();
  }
}
