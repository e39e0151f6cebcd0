import type { APIInteraction } from 'discord.js';
import { askerOf } from './asker.ts';
import { createConversing } from './assistant/conversing.ts';
import { allCommands } from './commands/all.ts';
import { dispatcher } from './dispatch.ts';
import { goOnline, type OnlineOptions } from './online.ts';
import type { DiscordParts } from './parts.ts';
import { endQuestion, type Questions } from './questions.ts';

export interface StartDiscordOptions extends DiscordParts, Omit<OnlineOptions, 'commands' | 'handle' | 'prepare' | 'wishes'> {
  /** Who takes the answers to questions; without it, nobody does. */
  readonly questions?: Questions | undefined;
}

/** The bot in Discord; disposing of it takes it offline. */
export interface DiscordBot extends AsyncDisposable {
  /** Resolves once the bot is online and its commands are offered; rejects where it can never be. */
  readonly ready: Promise<void>;
  /** Takes an interaction that came over HTTP; false: the bot is not online. */
  deliver(interaction: APIInteraction): boolean;
  /** Tells below a question, `channel/message`, that nobody answered it in time. Never rejects. */
  endQuestion(message: string): Promise<void>;
}

/** Brings the bot online, and tries until it is. */
export async function startDiscord(options: StartDiscordOptions): Promise<DiscordBot> {
  const { servers, settings, questions, log } = options;
  const stopping = new AbortController();
  const signal = AbortSignal.any([options.signal, stopping.signal]);
  const { assistant, conversations } = options;
  const conversing = assistant && conversations && createConversing({ ...options, assistant, conversations, signal });
  const commands = [...allCommands({ ...options, signal }), ...(conversing?.commands ?? [])];
  const handle = dispatcher({
    commands,
    askerOf: (interaction) => askerOf(interaction, { servers, settings, signal }),
    questions,
    log,
    signal,
  });
  const online = goOnline({
    ...options,
    commands,
    handle,
    wishes: conversing?.wishes,
    prepare: (client, preparing) => conversing?.attach(client, preparing),
    signal,
  });

  const ready = online.client.then(() => undefined);
  // Who does not wait for it has it in the log.
  ready.catch(() => undefined);

  return {
    ready,
    deliver: (interaction) => online.deliver(interaction),
    async endQuestion(message) {
      try {
        await endQuestion(await online.client, message);
      } catch (error) {
        log.warn({ error }, 'a question that nobody answered still looks open');
      }
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await online[Symbol.asyncDispose]();
    },
  };
}
