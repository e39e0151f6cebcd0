import { once } from 'node:events';
import { Client, Events, GatewayCloseCodes, type GatewayIntentBits, Options } from 'discord.js';
import { PlatformError } from '#src/errors.ts';
import { restOptions } from '#src/discord/rest-options.ts';
import { closeProblem } from './connection-state.ts';
import type { Shard } from './shard-state.ts';
import type { Transport } from './transport.ts';

interface LoginOptions {
  readonly token: string;
  readonly apiUrl: string;
  readonly intents: readonly GatewayIntentBits[];
  readonly shard: Shard;
  /** Resolves when the shard may identify. Never rejects before the signal is aborted. */
  readonly identify: (signal: AbortSignal) => Promise<void>;
  readonly transport: Transport;
  readonly signal: AbortSignal;
  /** Called with the client before it connects. */
  readonly prepare: (client: Client) => void;
}

/** Discord closed the connection with a code that forbids a reconnect. */
export class PermanentClose extends PlatformError {
  /** Whether Discord refused the intents. */
  readonly forIntents: boolean;

  constructor(code: number, cause: unknown) {
    super(closeProblem(code), { platform: 'discord', fault: 'forbidden', cause });
    this.forIntents = code === Number(GatewayCloseCodes.DisallowedIntents);
  }
}

/** Connects a client for one shard. The client caches little and pings no one. */
export async function login({ token, apiUrl, intents, shard, identify, transport, signal, prepare }: LoginOptions): Promise<Client<true>> {
  const client = new Client({
    intents: [...intents],
    allowedMentions: { parse: [], repliedUser: false },
    // These caches only grow, and no code reads them.
    makeCache: Options.cacheWithLimits({
      ApplicationCommandManager: 0,
      AutoModerationRuleManager: 0,
      EntitlementManager: 0,
      GuildBanManager: 0,
      GuildEmojiManager: 0,
      GuildInviteManager: 0,
      GuildMemberManager: 0,
      GuildScheduledEventManager: 0,
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
    rest: restOptions(apiUrl),
    ws: {
      buildStrategy: transport.buildStrategy,
      // If this rejects before the connection is closed, discord.js closes it once more, and then waits forever for the first close.
      buildIdentifyThrottler: async () => ({ waitForIdentify: (_, closed) => identify(closed) }),
    },
    shards: [shard.id],
    shardCount: shard.count,
  });
  prepare(client);
  let closedWith: number | undefined;
  client.once(Events.ShardDisconnect, ({ code }) => (closedWith = code));
  const over = new AbortController();
  try {
    const ready = once(client, Events.ClientReady, { signal: AbortSignal.any([signal, over.signal]) });
    await Promise.all([ready, client.login(token)]);
    if (client.isReady()) return client;
    throw new Error('the client is not ready after its ready event');
  } catch (error) {
    await transport.close(client);
    if (closedWith === undefined) throw error;
    throw new PermanentClose(closedWith, error);
  } finally {
    // Without this, each failed attempt would keep its client in memory.
    over.abort();
  }
}
