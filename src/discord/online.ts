import {
  DiscordjsError,
  DiscordjsErrorCodes,
  Events,
  GatewayIntentBits,
  type APIInteraction,
  type Client,
  type Interaction,
} from 'discord.js';
import type { Clock } from '#src/clock.ts';
import type { DiscordServer, DiscordSettings } from '#src/config/discord-settings.ts';
import { PlatformError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import { ClosedForGood, login } from './client.ts';
import type { Command } from './commands/command.ts';
import { identifyAgain } from './gateway/identify-again.ts';
import { watchConnection, type ConnectionState } from './gateway/connection-state.ts';
import { Transport } from './gateway/transport.ts';
import { withoutGateway } from './gateway/without-gateway.ts';
import { Recent } from './recent.ts';
import { isShutOut, register } from './register.ts';
import { takeBack } from './take-back.ts';
import { within } from './within.ts';

export interface OnlineOptions {
  readonly token: string;
  readonly apiUrl?: string | undefined;
  /** Where it is at home: its commands are offered there. None: everywhere, which takes Discord a while. */
  readonly servers: readonly DiscordServer[];
  readonly settings: DiscordSettings;
  /** What it hears of beside commands, if Discord lets it: some of this has to be switched on for the application. */
  readonly wishes?: readonly GatewayIntentBits[] | undefined;
  /** What is offered. */
  readonly commands: readonly Command[];
  /** Gets each interaction, once, whichever way it came. Never rejects. */
  readonly handle: (interaction: Interaction) => Promise<void>;
  /** Gets each client that is tried before anything can happen on it. */
  readonly prepare?: ((client: Client, preparing: Preparing) => void) | undefined;
  /** Told how it stands with the connection, whenever that changes. */
  readonly onConnection?: ((state: ConnectionState) => void) | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** What a client that is tried will be like. */
export interface Preparing {
  /** Which of the wishes it asks for. */
  readonly wishes: readonly GatewayIntentBits[];
  /** Gets what is at work, so that the end waits for it; it never rejects. */
  readonly work: (work: Promise<void>) => void;
}

/** A bot that is online, or tries to be; disposing of it takes it offline. */
export interface Online extends AsyncDisposable {
  /** The client, once it is online and its commands are offered; rejects where it can never be. */
  readonly client: Promise<Client<true>>;
  /** Takes an interaction that came over HTTP; false: the bot is not online. */
  deliver(interaction: APIInteraction): boolean;
}

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;
/** How long to wait at most before commands that Discord refuses are offered again. */
const LONGEST_OFFER_PAUSE_MS = 5 * 60_000;
const NOT_OFFERED =
  'Discord does not let the bot offer commands: check DISCORD_GUILD_ID, and invite it with the scope applications.commands.';
/** How long those who wait for an answer may hold up the end, to be told that there will be none. */
const FAREWELL_MS = 3_000;
/** What has to be switched on for the application. */
const CONTENT = GatewayIntentBits.MessageContent;
/** How long after its first coming an interaction is known to be the same. */
const REMEMBERED_MS = 5 * 60_000;

/** Brings a bot online, and tries until it is. */
export function goOnline(options: OnlineOptions): Online {
  const { token, apiUrl = 'https://discord.com/api', servers, settings, commands, handle, onConnection, clock, log, signal } = options;
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  const until = AbortSignal.any([signal, stopping.signal]);
  const seen = new Recent({ forMs: REMEMBERED_MS, clock });
  let transport: Transport | undefined;
  let wishes = options.wishes ?? [];
  /** The servers that do not let the bot offer commands, where others do. */
  let closed: readonly DiscordServer[] = [];

  function prepare(client: Client): void {
    client.on(Events.InteractionCreate, (interaction) => {
      // It may come over the gateway and over HTTP, and again after a resumption.
      if (!seen.add(interaction.id)) return;
      work(handle(interaction));
    });
    client.on(Events.Error, ({ message }) => log.warn({ reason: message }, 'the connection to Discord has trouble'));
    options.prepare?.(client, { wishes, work });
  }

  function work(begun: Promise<void>): void {
    const ending = begun.finally(() => running.delete(ending));
    running.add(ending);
  }

  function newTransport(): Transport {
    if (settings.gateway) return new Transport();
    const ids = servers.map(({ id }) => id);
    return new Transport((created) => withoutGateway(created, { servers: ids, clock, signal }));
  }

  async function attempt(): Promise<Client<true>> {
    const made = newTransport();
    const intents = [GatewayIntentBits.Guilds, ...wishes];
    const client = await login({ token, apiUrl, intents, shards: settings.shards, transport: made, signal, prepare });
    // From here on commands are answered, whatever becomes of those that are offered.
    transport = made;
    let known: ConnectionState = { kind: 'connecting' };
    let isOffered = false;
    watchConnection(client, (state) => {
      known = state;
      if (isOffered) tell(state);
    });
    try {
      const changed = await offer(client);
      log.info({ as: client.user.tag, changed }, 'Discord is connected');
      if (settings.gateway) {
        identifyAgain({ client, manager: made.manager, clock, log, signal: until }).catch((error: unknown) => {
          if (!until.aborted) log.error({ error }, 'a resume that Discord does not answer is not noticed any more');
        });
      }
      isOffered = true;
      tell(known);
      if (closed.length > 0) work(offerToClosed(client, () => tell(known)));
      work(takeBack(client, { servers, log, signal }));
      return client;
    } catch (error) {
      transport = undefined;
      await client.destroy();
      throw error;
    }
  }

  /** Offers the commands, and stays online until Discord takes them: a refusal may be a fault that passes. */
  async function offer(client: Client<true>): Promise<boolean> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_OFFER_PAUSE_MS)) {
      try {
        return await register(client, commands, { servers, settings, log, onShutOut });
      } catch (error) {
        if (!isShutOut(error)) throw error;
        log.warn({ reason: error.message, pauseMs }, NOT_OFFERED);
        tell({ kind: 'connecting', problem: NOT_OFFERED });
        await clock.sleep(pauseMs, signal);
      }
    }
  }

  function onShutOut(from: readonly DiscordServer[]): void {
    closed = from;
  }

  /** Offers the commands again in servers that did not let the bot in, until all of them do. */
  async function offerToClosed(client: Client<true>, onOpened: () => void): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; closed.length > 0; pauseMs = Math.min(pauseMs * 2, LONGEST_OFFER_PAUSE_MS)) {
      await clock.sleep(pauseMs, until).catch(() => undefined);
      if (until.aborted) return;
      const before = closed;
      try {
        await register(client, commands, { servers: before, settings, log, onShutOut });
      } catch (error) {
        closed = before;
        if (!isShutOut(error)) log.warn({ error }, 'commands could not be offered; trying again');
      }
      onOpened();
    }
  }

  function tell(state: ConnectionState): void {
    if (signal.aborted) return;
    if (state.kind === 'failed') log.error({ reason: state.problem }, 'the bot is in Discord no longer');
    const names = closed.map(({ account, id }) => `${account} (${id})`).join(' and ');
    const problem = `the bot is not in the server of ${names}, or may offer no commands there: check its id, and invite the bot with the scope applications.commands.`;
    onConnection?.(state.kind === 'connected' && closed.length > 0 ? { ...state, problem } : state);
  }

  async function connect(): Promise<Client<true>> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        return await attempt();
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ClosedForGood && error.forIntents && wishes.length > 0) {
          // Commands need none of it, and of replies to the bot Discord tells all the same.
          wishes = wishes.includes(CONTENT) ? wishes.filter((wish) => wish !== CONTENT) : [];
          log.warn({ reason: error.message }, 'the bot is in Discord without what it may not hear of');
          continue;
        }
        assertCurable(error);
        const reason = error instanceof Error ? error.message : 'unknown error';
        log.warn({ reason, pauseMs }, 'Discord cannot be reached');
        onConnection?.({ kind: 'connecting', problem: `Discord cannot be reached: ${reason}` });
        await clock.sleep(pauseMs, signal);
      }
    }
  }

  const client = connect();
  client.catch((error: unknown) => signal.aborted || log.error({ error }, 'the bot cannot be in Discord'));

  return {
    client,
    deliver(interaction) {
      if (!transport) return false;
      transport.deliver(interaction);
      return true;
    },
    async [Symbol.asyncDispose]() {
      transport = undefined;
      stopping.abort();
      const last = await client.catch(() => undefined);
      await within(Promise.all(running), FAREWELL_MS, clock);
      await last?.destroy();
    },
  };
}

/** Throws on, in our words, what will be the same at the next attempt. */
function assertCurable(cause: unknown): void {
  if (cause instanceof ClosedForGood) throw cause;
  if (cause instanceof DiscordjsError && cause.code === DiscordjsErrorCodes.TokenInvalid) {
    throw new PlatformError('Discord does not accept the token: check DISCORD_TOKEN.', {
      platform: 'discord',
      fault: 'unauthorized',
      cause,
    });
  }
}
