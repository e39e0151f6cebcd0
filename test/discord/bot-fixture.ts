import { openai } from '#adapters/openai/index.ts';
import { twitch } from '#adapters/twitch/index.ts';
import { assistantServer } from '#sandbox/assistant/server.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import { twitchServer } from '#sandbox/twitch/server.ts';
import { type Assistant, createAssistant } from '#src/clients/assistant/assistant.ts';
import { memoryTranscripts } from '#src/clients/assistant/memory-transcripts.ts';
import { parseAnswerButtonId } from '#src/clients/chat/answer-ids.ts';
import { type Clock, systemClock } from '#src/clock.ts';
import { type DiscordSettings, DEFAULT_DISCORD_SETTINGS } from '#src/config/discord-settings.ts';
import { createQuestionCloser, type CloseQuestion } from '#src/discord/question-closer.ts';
import type { RuleButtons } from '#src/discord/rule-buttons.ts';
import type { Questions } from '#src/discord/questions.ts';
import { type DiscordBot, startDiscord } from '#src/discord/start.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { Bot } from '#src/clients/streaming/bot.ts';
import { type DiscordSandbox, type InteractionView, startDiscordSandbox } from '../support/discord-sandbox.ts';
import { startOptions } from './start-options.ts';

export interface BotFixture extends AsyncDisposable {
  readonly discord: DiscordSandbox;
  /** The simulated Twitch and model. */
  readonly world: Sandbox;
  readonly bot: DiscordBot;
  readonly store: Store;
  /** The log. */
  readonly lines: readonly string[];
  /** Runs a command, for example `game streams`. */
  command(
    command: string,
    options: Readonly<Record<string, string>>,
    where?: { readonly channel?: string; readonly waitMs?: number },
  ): Promise<InteractionView>;
  /** The suggestions for the text in an option. */
  type(command: string, option: string, typed: string): Promise<readonly string[]>;
  /** Closes a question whose buttons no one clicked. */
  readonly endQuestion: CloseQuestion;
  /** The current state of an interaction. */
  reload(id: string): Promise<InteractionView>;
}

interface OpenBotOptions {
  readonly assistant?: Assistant;
  /** Handles the answers to questions. */
  readonly onAnswer?: Questions['onAnswer'];
  /** Finds a question; absent: everyone may answer each one. */
  readonly findQuestion?: Questions['find'] | undefined;
  /** Finds the messages of rules with buttons. */
  readonly ruleButtons?: RuleButtons;
  /** The clock of the bot. The servers have the system clock. */
  readonly clock?: Clock;
  readonly settings?: Partial<DiscordSettings>;
}

/** The bot on the sandbox: real adapters, real discord.js. */
export async function openBot({
  assistant,
  onAnswer,
  findQuestion = async () => ({ roles: ['@everyone'] }),
  ruleButtons,
  clock = systemClock,
  settings,
}: OpenBotOptions = {}): Promise<BotFixture> {
  const world = await startSandbox({ platforms: [twitchServer, assistantServer] });
  const discord = await startDiscordSandbox();
  const store = await openStore({ clock });
  const lines: string[] = [];
  const stopping = new AbortController();
  const options = startOptions(discord, lines);
  const bot = await startDiscord({
    ...options,
    settings: { ...DEFAULT_DISCORD_SETTINGS, ...settings },
    streaming: new Map([['twitch', new Bot({ platform: twitchOf(world) })]]),
    conversations: store,
    assistant: assistant ?? assistantOf(world),
    questions: onAnswer && { read: parseAnswerButtonId, find: findQuestion, onAnswer },
    ruleButtons,
    clock,
    signal: stopping.signal,
  });
  await bot.ready;
  const [user] = discord.people;

  return {
    discord,
    world,
    bot,
    lines,
    command: (command, options, { channel = 'general', waitMs = 60_000 } = {}) =>
      discord.interact({ user, channel, command, options, waitMs }),
    async type(command, option, typed) {
      const options = { [option]: typed };
      const { choices = [] } = await discord.interact({ user, channel: 'general', command, options, autocomplete: true });
      return choices.map((choice) => (choice as { value: string }).value); // Discord took them, so they have one
    },
    store,
    endQuestion: createQuestionCloser({ ...options, storedServers: store.servers }),
    reload: (id) => discord.order(`/discord/interactions/${id}`, undefined),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await bot[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      await discord[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

function twitchOf({ environment }: Sandbox): ReturnType<typeof twitch> {
  const {
    TWITCH_CLIENT_ID: clientId = '',
    TWITCH_CLIENT_SECRET: clientSecret = '',
    TWITCH_API_URL: apiUrl,
    TWITCH_AUTH_URL: authUrl,
  } = environment;
  return twitch({ clientId, clientSecret, apiUrl, authUrl });
}

function assistantOf({ environment }: Sandbox): Assistant {
  const { ASSISTANT_URL: url = '', ASSISTANT_API_KEY: apiKey = '', ASSISTANT_MODEL: model = '' } = environment;
  return createAssistant({
    platform: openai({ url, apiKey, model, clock: systemClock }),
    transcripts: memoryTranscripts(),
    clock: systemClock,
  });
}
