import type { APIInteraction } from 'discord.js';
import { createAssistantFeature } from './assistant-feature.ts';
import { callerOf } from './caller.ts';
import { allCommands, type DiscordParts } from './commands/all.ts';
import { type ConnectionOptions, openConnection } from './connection.ts';
import { dispatcher } from './dispatch.ts';
import { memoryHandledEvents } from './handled-events.ts';
import type { Questions } from './questions.ts';

export interface StartDiscordOptions
  extends DiscordParts, Omit<ConnectionOptions, 'commands' | 'handle' | 'prepare' | 'onOnline' | 'optionalIntents'> {
  /** Handles the answers to questions of rules. */
  readonly questions?: Questions | undefined;
  /** The id of this process; absent if there is only one. */
  readonly process?: string | undefined;
}

/** The bot in Discord. Disposing of it takes the bot offline. */
export interface DiscordBot extends AsyncDisposable {
  /** Resolves once the bot is online and offers its commands. Rejects if a retry cannot help. */
  readonly ready: Promise<void>;
  /** Handles an interaction from HTTP; false if the bot is not online. */
  deliver(interaction: APIInteraction): boolean;
  /** Lets other processes take over the shards. */
  handOver(): Promise<void>;
}

/** Starts the bot, and retries until it is online. */
export async function startDiscord(options: StartDiscordOptions): Promise<DiscordBot> {
  const { servers, settings, questions, clock, log } = options;
  const handled = options.handled ?? memoryHandledEvents(clock);
  const stopping = new AbortController();
  const signal = AbortSignal.any([options.signal, stopping.signal]);
  const { assistant, conversations } = options;
  const assistantFeature = assistant && conversations && createAssistantFeature({ ...options, assistant, conversations, handled, signal });
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
    handled,
    commands,
    handle,
    optionalIntents: assistantFeature?.optionalIntents,
    prepare: (client, preparing) => assistantFeature?.attach(client, preparing),
    onOnline: (client, preparing) => assistantFeature?.onOnline(client, preparing),
    signal,
  });

  const ready = online.client.then(() => undefined);
  // The log has the error.
  ready.catch(() => undefined);

  return {
    ready,
    deliver: (interaction) => online.deliver(interaction),
    handOver: () => online.handOver(),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await online[Symbol.asyncDispose]();
    },
  };
}
