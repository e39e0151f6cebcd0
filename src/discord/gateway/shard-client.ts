import { type APIInteraction, type Client, GatewayIntentBits } from 'discord.js';
import type { Clock } from '#src/clock.ts';
import { UNREADABLE_INTERACTION } from '#src/discord/http/endpoint.ts';
import type { Log } from '#src/log.ts';
import { login, PermanentClose } from './client.ts';
import { type ConnectionState, watchConnection } from './connection-state.ts';
import { watchResume } from './resume-watchdog.ts';
import { retrying } from './retrying.ts';
import type { Shard } from './shard-state.ts';
import type { Transport } from './transport.ts';

/** The owner of the application has to switch these intents on. Discord does not say which one it rejects. */
const PRIVILEGED = [GatewayIntentBits.GuildPresences, GatewayIntentBits.MessageContent];

/** The intents that the bot drops if Discord refuses them. All shards share them. */
export interface OptionalIntents {
  current: readonly GatewayIntentBits[];
  /** The sets to try next, the largest first; absent: Discord rejected none yet. */
  next?: readonly (readonly GatewayIntentBits[])[];
}

export interface ShardClientOptions {
  readonly token: string;
  readonly apiUrl: string;
  readonly shard: Shard;
  readonly intents: OptionalIntents;
  readonly newTransport: () => Transport;
  /** Resolves when the shard may identify; absent: the client has no gateway connection. */
  readonly identify?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Called with each client before it connects. */
  readonly prepare: (client: Client) => void;
  /** Called at each change of the connection. */
  readonly onState: (state: ConnectionState) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** A shard that is online or connects. Disposing of it takes the shard offline. */
export interface ShardClient extends AsyncDisposable {
  /** Resolves once the shard is online. Rejects if a retry cannot help. */
  readonly online: Promise<Client<true>>;
  readonly isOnline: boolean;
  /** Handles an interaction from HTTP; false if the shard is not online. */
  deliver(interaction: APIInteraction): boolean;
}

/** The sets of intents without one privileged intent, without all of them, and without any intent. */
function withoutPrivileged(optional: readonly GatewayIntentBits[]): readonly (readonly GatewayIntentBits[])[] {
  const privileged = PRIVILEGED.filter((intent) => optional.includes(intent));
  const sets = privileged.map((one) => optional.filter((intent) => intent !== one));
  return [...sets, ...(privileged.length > 1 ? [optional.filter((intent) => !privileged.includes(intent))] : []), []];
}

/** Connects a shard, and retries until it is online. */
export function openShardClient(options: ShardClientOptions): ShardClient {
  const { token, apiUrl, shard, intents, newTransport, identify, prepare, onState, clock, log } = options;
  const stopping = new AbortController();
  const signal = AbortSignal.any([options.signal, stopping.signal]);
  let transport: Transport | undefined;

  async function attempt(): Promise<Client<true>> {
    const made = newTransport();
    const optional = intents.current;
    try {
      const client = await login({
        token,
        apiUrl,
        intents: [GatewayIntentBits.Guilds, ...optional],
        shard,
        identify: identify ?? (async () => undefined),
        transport: made,
        signal,
        prepare,
      });
      transport = made;
      watchConnection(client, onState);
      if (identify) {
        watchResume({ client, manager: made.manager, clock, log, signal }).catch((error: unknown) => {
          if (!signal.aborted) log.error({ error }, 'the check for unanswered resumes stopped');
        });
      }
      return client;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof PermanentClose) || !error.forIntents || optional.length === 0) throw error;
      // Commands need none of the optional intents. Another shard may have dropped the intent.
      if (intents.current === optional) {
        const [first = [], ...next] = intents.next ?? withoutPrivileged(optional);
        intents.current = first;
        intents.next = next;
        log.warn({ reason: error.message }, 'Discord rejects an intent; the bot connects without it');
      }
      return attempt();
    }
  }

  const online = retrying(attempt, { onFailure: (problem) => onState({ kind: 'connecting', problem }), clock, log, signal });
  online.catch(() => undefined);

  return {
    online,
    get isOnline() {
      return transport !== undefined;
    },
    deliver(interaction) {
      if (!transport || stopping.signal.aborted) return false;
      transport.deliver(interaction)?.catch((error: unknown) => log.warn({ error, interaction: interaction.id }, UNREADABLE_INTERACTION));
      return true;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      const client = await online.catch(() => undefined);
      if (client) await transport?.close(client);
    },
  };
}
