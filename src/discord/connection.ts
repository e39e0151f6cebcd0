import {
  type APIInteraction,
  type Client,
  DiscordjsError,
  DiscordjsErrorCodes,
  Events,
  GatewayIntentBits,
  type Interaction,
} from 'discord.js';
import type { Clock } from '#src/clock.ts';
import type { DiscordServer, DiscordSettings } from '#src/config/discord-settings.ts';
import { PlatformError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { Command } from './command.ts';
import { login, PermanentClose } from './gateway/client.ts';
import { type ConnectionState, watchConnection } from './gateway/connection-state.ts';
import { restOnlyStrategy } from './gateway/rest-only.ts';
import { watchResume } from './gateway/resume-watchdog.ts';
import { Transport } from './gateway/transport.ts';
import { RecentIds } from './recent-ids.ts';
import { isAccessDenied, register, removeCommands } from './register.ts';
import { settlesWithin } from './settles-within.ts';

export interface ConnectionOptions {
  readonly token: string;
  readonly apiUrl?: string | undefined;
  /** The servers in which the bot offers its commands. None: all servers, which takes Discord some minutes. */
  readonly servers: readonly DiscordServer[];
  readonly settings: DiscordSettings;
  /** Gateway intents that the bot drops if Discord refuses them. */
  readonly optionalIntents?: readonly GatewayIntentBits[] | undefined;
  readonly commands: readonly Command[];
  /** Called once for each interaction, over the gateway or over HTTP. Never rejects. */
  readonly handle: (interaction: Interaction) => Promise<void>;
  /** Called with each client before it connects. */
  readonly prepare?: ((client: Client, setup: ClientSetup) => void) | undefined;
  /** Called at each change of the connection. */
  readonly onConnection?: ((state: ConnectionState) => void) | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export interface ClientSetup {
  /** The optional intents that the client requests. */
  readonly optionalIntents: readonly GatewayIntentBits[];
  /** Registers a task that never rejects. The shutdown waits for it. */
  readonly work: (work: Promise<void>) => void;
}

/** A bot that is online or connects. Disposing of it takes the bot offline. */
export interface Connection extends AsyncDisposable {
  /** Resolves once the bot is online and offers its commands. Rejects if a retry cannot help. */
  readonly client: Promise<Client<true>>;
  /** Handles an interaction from HTTP; false if the bot is not online. */
  deliver(interaction: APIInteraction): boolean;
}

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;
const LONGEST_OFFER_PAUSE_MS = 5 * 60_000;
const NOT_OFFERED =
  'Discord does not allow the bot to register commands: check DISCORD_GUILD_ID, and invite the bot with fanfare auth discord.';
/** How long the shutdown waits for running tasks, which tell their users about the restart. */
const SHUTDOWN_MS = 3_000;
/** The owner of the application has to switch this intent on. */
const CONTENT = GatewayIntentBits.MessageContent;
/** How long repeated interactions are recognized. */
const REMEMBERED_MS = 5 * 60_000;

/** Connects a bot, and retries until it is online. */
export function openConnection(options: ConnectionOptions): Connection {
  const { token, apiUrl = 'https://discord.com/api', servers, settings, commands, handle, onConnection, clock, log, signal } = options;
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  const until = AbortSignal.any([signal, stopping.signal]);
  const seen = new RecentIds({ forMs: REMEMBERED_MS, clock });
  let transport: Transport | undefined;
  let isOver = false;
  let optionalIntents = options.optionalIntents ?? [];
  /** The servers that refuse the commands. */
  let denied: readonly DiscordServer[] = [];

  function prepare(client: Client): void {
    client.on(Events.InteractionCreate, (interaction) => {
      // The same interaction may come over the gateway, over HTTP, and again after a resume.
      if (!seen.add(interaction.id)) return;
      work(handle(interaction));
    });
    client.on(Events.Error, ({ message }) => log.warn({ reason: message }, 'the connection to Discord reported an error'));
    options.prepare?.(client, { optionalIntents, work });
  }

  function work(task: Promise<void>): void {
    const ending = task.finally(() => running.delete(ending));
    running.add(ending);
  }

  function newTransport(): Transport {
    if (settings.gateway) return new Transport(clock);
    const ids = servers.map(({ id }) => id);
    return new Transport(clock, (created) => restOnlyStrategy(created, { servers: ids, clock, signal }));
  }

  async function attempt(): Promise<Client<true>> {
    const made = newTransport();
    const intents = [GatewayIntentBits.Guilds, ...optionalIntents];
    const client = await login({ token, apiUrl, intents, shards: settings.shards, transport: made, signal, prepare });
    // The bot answers commands from now on, even if Discord refuses to register them.
    transport = made;
    let known: ConnectionState = { kind: 'connecting' };
    let isOffered = false;
    watchConnection(client, (state) => {
      known = state;
      if (isOffered) report(state);
    });
    try {
      const changed = await offer(client);
      log.info({ as: client.user.tag, changed }, 'Discord is connected');
      if (settings.gateway) {
        watchResume({ client, manager: made.manager, clock, log, signal: until }).catch((error: unknown) => {
          if (!until.aborted) log.error({ error }, 'the check for unanswered resumes stopped');
        });
      }
      isOffered = true;
      report(known);
      if (denied.length > 0) work(retryDenied(client, () => report(known)));
      work(removeCommands(client, { servers, log, signal }));
      return client;
    } catch (error) {
      transport = undefined;
      await made.close(client);
      throw error;
    }
  }

  /** Registers the commands. Retries while Discord refuses them, because the refusal may be temporary. */
  async function offer(client: Client<true>): Promise<boolean> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_OFFER_PAUSE_MS)) {
      try {
        return await register(client, commands, { servers, settings, log, onAccessDenied: (from) => (denied = from) });
      } catch (error) {
        if (!isAccessDenied(error)) throw error;
        log.warn({ reason: error.message, pauseMs }, NOT_OFFERED);
        report({ kind: 'connecting', problem: NOT_OFFERED });
        await clock.sleep(pauseMs, signal);
      }
    }
  }

  /** Registers the commands again in the servers that refused them. */
  async function retryDenied(client: Client<true>, onChange: () => void): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; denied.length > 0; pauseMs = Math.min(pauseMs * 2, LONGEST_OFFER_PAUSE_MS)) {
      await clock.sleep(pauseMs, until).catch(() => undefined);
      if (until.aborted) return;
      const before = denied;
      try {
        await register(client, commands, { servers: before, settings, log, onAccessDenied: (from) => (denied = from) });
      } catch (error) {
        denied = before;
        if (!isAccessDenied(error)) log.warn({ error }, 'the commands could not be registered; Fanfare retries');
      }
      onChange();
    }
  }

  function report(state: ConnectionState): void {
    if (signal.aborted) return;
    if (state.kind === 'failed') log.error({ reason: state.problem }, 'the bot was disconnected from Discord');
    const names = denied.map(({ account, id }) => `${account} (${id})`).join(' and ');
    const problem = `the bot is not in the server of ${names}, or cannot register commands there: check its id, and invite the bot with the scope applications.commands.`;
    onConnection?.(state.kind === 'connected' && denied.length > 0 ? { ...state, problem } : state);
  }

  async function connect(): Promise<Client<true>> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        return await attempt();
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof PermanentClose && error.forIntents && optionalIntents.length > 0) {
          // Commands need none of the optional intents.
          optionalIntents = optionalIntents.includes(CONTENT) ? optionalIntents.filter((intent) => intent !== CONTENT) : [];
          log.warn({ reason: error.message }, 'Discord rejects an intent; the bot connects without it');
          continue;
        }
        assertTemporary(error);
        const reason = error instanceof Error ? error.message : 'unknown error';
        log.warn({ reason, pauseMs }, 'Discord cannot be reached');
        onConnection?.({ kind: 'connecting', problem: `Discord cannot be reached: ${reason}` });
        await clock.sleep(pauseMs, signal);
      }
    }
  }

  const client = connect();
  client.catch((error: unknown) => signal.aborted || log.error({ error }, 'the bot cannot connect to Discord'));

  return {
    client,
    deliver(interaction) {
      if (!transport || isOver) return false;
      transport.deliver(interaction);
      return true;
    },
    async [Symbol.asyncDispose]() {
      isOver = true;
      stopping.abort();
      const online = await client.catch(() => undefined);
      await settlesWithin(Promise.all(running), SHUTDOWN_MS, clock);
      if (online) await transport?.close(online);
    },
  };
}

/** Throws if a retry cannot help. */
function assertTemporary(cause: unknown): void {
  if (cause instanceof PermanentClose) throw cause;
  if (cause instanceof DiscordjsError && cause.code === DiscordjsErrorCodes.TokenInvalid) {
    throw new PlatformError('Discord does not accept the token: check DISCORD_TOKEN.', {
      platform: 'discord',
      fault: 'unauthorized',
      cause,
    });
  }
}
