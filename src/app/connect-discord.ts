import { once } from 'node:events';
import type { AssistantPlatform } from '#src/assistant/port.ts';
import { createAssistant } from '#src/assistant/assistant.ts';
import type { Transcripts } from '#src/assistant/transcript.ts';
import type { Clock } from '#src/clock.ts';
import type { Config } from '#src/config/config.ts';
import type { Log } from '#src/log.ts';
import type { Questions } from '#src/discord/questions.ts';
import type { DiscordBot } from '#src/discord/start.ts';
import type { Bot } from '#src/streaming/bot.ts';

export interface ConnectDiscordOptions {
  readonly config: Pick<Config, 'credentials' | 'discord' | 'servers'>;
  readonly bot: Bot | undefined;
  /** Who answers `/ask`; without it the command is not offered. */
  readonly assistant: AssistantPlatform | undefined;
  readonly transcripts: Transcripts;
  /** Who takes the answers to questions. */
  readonly questions: Questions;
  /** Told when `state` changes. */
  readonly onChange: () => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** How it stands with the bot in Discord. */
export interface DiscordConnection {
  readonly state: 'absent' | 'connecting' | 'connected' | 'failed';
  /** What is wrong, and what would cure it. */
  readonly problem?: string | undefined;
  /** Resolves when the bot is offline, after `signal`. */
  readonly closed: Promise<void>;
  /** Tells below a question, `channel/message`, that nobody answered it in time. */
  endQuestion(message: string): void;
}

/** Brings the bot online beside everything else: rules do not wait for it. */
export function connectDiscord({
  config,
  bot,
  assistant,
  transcripts,
  questions,
  onChange,
  clock,
  log,
  signal,
}: ConnectDiscordOptions): DiscordConnection {
  const { discord: settings, servers } = config;
  const { discord } = config.credentials;
  if (!discord) return { state: 'absent', closed: Promise.resolve(), endQuestion: () => undefined };
  const connection: { state: DiscordConnection['state']; problem?: string } = { state: 'connecting' };
  const online = Promise.withResolvers<DiscordBot>();

  async function stay(): Promise<void> {
    // discord.js is the largest part of the program: what runs without it does not wait for it.
    const { startDiscord } = await import('#src/discord/start.ts');
    const answers = assistant && createAssistant({ platform: assistant, transcripts, clock });
    const parts = { bot, assistant: answers, questions, clock, log, signal };
    await using client = await startDiscord({ token: discord?.token ?? '', apiUrl: discord?.apiUrl, servers, settings, ...parts });
    try {
      await client.ready;
      connection.state = 'connected';
      online.resolve(client);
    } catch (error) {
      connection.state = 'failed';
      connection.problem = error instanceof Error ? error.message : 'it failed for an unknown reason';
    }
    onChange();
    if (!signal.aborted) await once(signal, 'abort');
  }

  const closed = stay().catch((error: unknown) => log.error({ error }, 'the bot in Discord failed'));
  return {
    closed,
    endQuestion: (message) => void online.promise.then((bot) => bot.endQuestion(message)),
    get state() {
      return connection.state;
    },
    get problem() {
      return connection.problem;
    },
  };
}
