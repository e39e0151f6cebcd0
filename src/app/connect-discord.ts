import { once } from 'node:events';
import type { AssistantPlatform } from '#src/assistant/port.ts';
import { createAssistant } from '#src/assistant/assistant.ts';
import type { Transcripts } from '#src/assistant/transcript.ts';
import type { Clock } from '#src/clock.ts';
import type { Credentials } from '#src/config/accounts.ts';
import type { Log } from '#src/log.ts';
import type { Bot } from '#src/streaming/bot.ts';

export interface ConnectDiscordOptions {
  readonly credentials: Credentials;
  readonly bot: Bot | undefined;
  /** Who answers `/ask`; without it the command is not offered. */
  readonly assistant: AssistantPlatform | undefined;
  readonly transcripts: Transcripts;
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
}

/** Brings the bot online beside everything else: rules do not wait for it. */
export function connectDiscord({
  credentials,
  bot,
  assistant,
  transcripts,
  onChange,
  clock,
  log,
  signal,
}: ConnectDiscordOptions): DiscordConnection {
  const { discord } = credentials;
  if (!discord) return { state: 'absent', closed: Promise.resolve() };
  const connection: { state: DiscordConnection['state']; problem?: string } = { state: 'connecting' };

  async function stay(): Promise<void> {
    // discord.js is the largest part of the program: what runs without it does not wait for it.
    const { startDiscord } = await import('#src/discord/start.ts');
    const answers = assistant && createAssistant({ platform: assistant, transcripts, clock });
    await using client = await startDiscord({ ...discord, token: discord?.token ?? '', bot, assistant: answers, clock, log, signal });
    try {
      await client.ready;
      connection.state = 'connected';
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
    get state() {
      return connection.state;
    },
    get problem() {
      return connection.problem;
    },
  };
}
