import { DiscordAPIError, DiscordjsError, DiscordjsErrorCodes, Events, type Client } from 'discord.js';
import type { DiscordServer, DiscordSettings } from '#src/config/discord-settings.ts';
import { PlatformError } from '#src/errors.ts';
import { askerOf } from './asker.ts';
import { login } from './client.ts';
import { allCommands } from './commands/all.ts';
import { dispatcher } from './dispatch.ts';
import type { DiscordParts } from './parts.ts';
import { endQuestion, type Questions } from './questions.ts';
import { register } from './register.ts';
import { within } from './within.ts';

export interface StartDiscordOptions extends Omit<DiscordParts, 'signal'> {
  readonly token: string;
  readonly apiUrl?: string | undefined;
  /** Where it is at home: its commands are offered there. None: everywhere, which takes Discord a while. */
  readonly servers: readonly DiscordServer[];
  readonly settings: DiscordSettings;
  /** Who takes the answers to questions; without it, nobody does. */
  readonly questions?: Questions | undefined;
  readonly signal: AbortSignal;
}

/** The bot in Discord; disposing of it takes it offline. */
export interface DiscordBot extends AsyncDisposable {
  /** Resolves once the bot is online and its commands are offered; rejects where it can never be. */
  readonly ready: Promise<void>;
  /** Tells below a question, `channel/message`, that nobody answered it in time. Never rejects. */
  endQuestion(message: string): Promise<void>;
}

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;
/** How long those who wait for an answer may hold up the end, to be told that there will be none. */
const FAREWELL_MS = 3_000;

/** Brings the bot online, and tries until it is. */
export async function startDiscord(options: StartDiscordOptions): Promise<DiscordBot> {
  const { token, apiUrl = 'https://discord.com/api', servers, settings, questions, clock, log } = options;
  const stopping = new AbortController();
  const signal = AbortSignal.any([options.signal, stopping.signal]);
  const commands = allCommands({ ...options, signal });
  const handle = dispatcher({
    commands,
    askerOf: (interaction) => askerOf(interaction, { servers, settings, signal }),
    questions,
    log,
    signal,
  });
  const running = new Set<Promise<void>>();

  function prepare(client: Client): void {
    client.on(Events.InteractionCreate, (interaction) => {
      const work = handle(interaction).finally(() => running.delete(work));
      running.add(work);
    });
    client.on(Events.Error, ({ message }) => log.warn({ reason: message }, 'the connection to Discord has trouble'));
    client.on(Events.ShardDisconnect, ({ code }) =>
      log.error({ code }, 'Discord closed the connection for good: restart once its cause is gone'),
    );
  }

  async function attempt(): Promise<Client<true>> {
    const client = await login({ token, apiUrl, signal, prepare });
    try {
      const changed = await register(client, commands, { servers, settings });
      log.info({ as: client.user.tag, changed }, 'Discord is connected');
      return client;
    } catch (error) {
      await client.destroy();
      throw error;
    }
  }

  async function connect(): Promise<Client<true>> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        return await attempt();
      } catch (error) {
        signal.throwIfAborted();
        assertCurable(error);
        log.warn({ reason: error instanceof Error ? error.message : error, pauseMs }, 'Discord cannot be reached');
        await clock.sleep(pauseMs, signal);
      }
    }
  }

  const connecting = connect();
  const ready = connecting.then(() => undefined);
  ready.catch((error: unknown) => signal.aborted || log.error({ error }, 'the bot cannot be in Discord'));

  return {
    ready,
    async endQuestion(message) {
      try {
        await endQuestion(await connecting, message);
      } catch (error) {
        log.warn({ error }, 'a question that nobody answered still looks open');
      }
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      const client = await connecting.catch(() => undefined);
      await within(Promise.all(running), FAREWELL_MS, clock);
      await client?.destroy();
    },
  };
}

/** Throws on, in our words, what will be the same at the next attempt. */
function assertCurable(cause: unknown): void {
  if (cause instanceof DiscordjsError && cause.code === DiscordjsErrorCodes.TokenInvalid) {
    throw new PlatformError('Discord does not accept the token: check DISCORD_TOKEN.', {
      platform: 'discord',
      fault: 'unauthorized',
      cause,
    });
  }
  if (cause instanceof DiscordAPIError && cause.url.includes('/commands') && [403, 404].includes(cause.status)) {
    const message =
      'Discord does not let the bot offer commands: check DISCORD_GUILD_ID, and invite it with the scope applications.commands.';
    throw new PlatformError(message, { platform: 'discord', fault: 'forbidden', status: cause.status, cause });
  }
}
