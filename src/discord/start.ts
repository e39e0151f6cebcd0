import type { APIInteraction } from 'discord.js';
import { createAssistantFeature } from './assistant-feature.ts';
import { callerOf } from './caller.ts';
import { allCommands, type DiscordParts } from './commands/all.ts';
import { type ConnectionOptions, openConnection } from './connection.ts';
import { dispatcher } from './dispatch.ts';
import { endQuestion, type Questions } from './questions.ts';

export interface StartDiscordOptions extends DiscordParts, Omit<ConnectionOptions, 'commands' | 'handle' | 'prepare' | 'optionalIntents'> {
  /** Handles the answers to questions of rules. */
  readonly questions?: Questions | undefined;
}

/** The bot in Discord. Disposing of it takes the bot offline. */
export interface DiscordBot extends AsyncDisposable {
  /** Resolves once the bot is online and offers its commands. Rejects if a retry cannot help. */
  readonly ready: Promise<void>;
  /** Handles an interaction from HTTP; false if the bot is not online. */
  deliver(interaction: APIInteraction): boolean;
  /** Closes the question `channel/message`, which no one answered in time. Never rejects. */
  endQuestion(message: string): Promise<void>;
}

/** Starts the bot, and retries until it is online. */
export async function startDiscord(options: StartDiscordOptions): Promise<DiscordBot> {
  const { servers, settings, questions, log } = options;
  const stopping = new AbortController();
  const signal = AbortSignal.any([options.signal, stopping.signal]);
  const { assistant, conversations } = options;
  const assistantFeature = assistant && conversations && createAssistantFeature({ ...options, assistant, conversations, signal });
  const commands = [...allCommands({ ...options, signal }), ...(assistantFeature?.commands ?? [])];
  const handle = dispatcher({
    commands,
    callerOf: (interaction) => callerOf(interaction, { servers, settings, signal }),
    questions,
    log,
    signal,
  });
  const online = openConnection({
    ...options,
    commands,
    handle,
    optionalIntents: assistantFeature?.optionalIntents,
    prepare: (client, preparing) => assistantFeature?.attach(client, preparing),
    signal,
  });

  const ready = online.client.then(() => undefined);
  // The log has the error.
  ready.catch(() => undefined);

  return {
    ready,
    deliver: (interaction) => online.deliver(interaction),
    async endQuestion(message) {
      try {
        await endQuestion(await online.client, message);
      } catch (error) {
        log.warn({ error }, 'an unanswered question could not be closed');
      }
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await online[Symbol.asyncDispose]();
    },
  };
}
