import { once } from 'node:events';
import { Client, Events, GatewayCloseCodes, Options, type ClientOptions, type GatewayIntentBits } from 'discord.js';
import type { DiscordSettings } from '#src/config/discord-settings.ts';
import { PlatformError } from '#src/errors.ts';
import { closeProblem } from './gateway/connection-state.ts';
import type { Transport } from './gateway/transport.ts';

export interface LoginOptions {
  readonly token: string;
  readonly apiUrl: string;
  /** What it hears of. */
  readonly intents: readonly GatewayIntentBits[];
  readonly shards: DiscordSettings['shards'];
  readonly transport: Transport;
  readonly signal: AbortSignal;
  /** Gets the client before anything can happen on it. */
  readonly prepare: (client: Client) => void;
}

/** Discord closed the connection for good at once. */
export class ClosedForGood extends PlatformError {
  /** Whether it was for what the client wants to hear of. */
  readonly forIntents: boolean;

  constructor(code: number, cause: unknown) {
    super(closeProblem(code), { platform: 'discord', fault: 'forbidden', cause });
    this.forIntents = code === Number(GatewayCloseCodes.DisallowedIntents);
  }
}

/** A client of Discord that is online. It keeps little in memory, and pings nobody. */
export async function login({ token, apiUrl, intents, shards, transport, signal, prepare }: LoginOptions): Promise<Client<true>> {
  const client = new Client({
    intents: [...intents],
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
    ws: { buildStrategy: transport.buildStrategy },
    ...splitInto(shards),
  });
  prepare(client);
  let closedWith: number | undefined;
  client.once(Events.ShardDisconnect, ({ code }) => (closedWith = code));
  const over = new AbortController();
  try {
    const ready = once(client, Events.ClientReady, { signal: AbortSignal.any([signal, over.signal]) });
    await Promise.all([ready, client.login(token)]);
    if (client.isReady()) return client;
    throw new Error('Discord said that the client is ready, and it is not');
  } catch (error) {
    await client.destroy();
    if (closedWith === undefined) throw error;
    throw new ClosedForGood(closedWith, error);
  } finally {
    // Where the login failed, nobody waits any more: else each attempt would hold on to its client.
    over.abort();
  }
}

function splitInto(shards: DiscordSettings['shards']): Pick<ClientOptions, 'shards' | 'shardCount'> {
  return shards === 'auto' ? { shards } : { shardCount: shards };
}
