import type { APIInteraction } from 'discord.js';
import type { StatusStore } from '#src/clients/chat/wanted-status.ts';
import { createBotStatus } from './bot-status.ts';
import { createAssistantFeature } from './assistant-feature.ts';
import { callerOf, type FindStoredServer } from './caller.ts';
import { allCommands, type DiscordParts } from '#src/discord/commands/all.ts';
import { type ConnectionOptions, openConnection } from './connection.ts';
import { dispatcher } from './dispatch.ts';
import type { CommandsIn } from './register.ts';
import { memoryHandledEvents } from './handled-events.ts';
import type { RuleButtons } from './rule-buttons.ts';
import type { Questions } from './questions.ts';
import { intentsFor, keepMemberStates, type KeepMemberStatesOptions } from './member-states/keep-member-states.ts';
import type { MemberStates } from '#src/clients/chat/chat.ts';
import { ruleCommand } from './rule-commands/rule-command.ts';
import type { RuleCommands } from './rule-commands/rule-commands.ts';
import { keepAlerting } from './servers/alerts.ts';
import { createMembership } from './servers/membership.ts';
import { MESSAGE_INTENTS, watchMessages, type ChangedChannel } from './watch-messages.ts';

export interface StartDiscordOptions
  extends DiscordParts, Omit<ConnectionOptions, 'commands' | 'ruleCommands' | 'handle' | 'prepare' | 'onOnline' | 'optionalIntents'> {
  /** Handles the answers to questions of rules. */
  readonly questions?: Questions | undefined;
  /** Finds the messages of rules with buttons. */
  readonly ruleButtons?: RuleButtons | undefined;
  /** The stored states of members. Absent if no rule reads them. */
  readonly memberStates?: (Pick<KeepMemberStatesOptions, 'asked' | 'onChange'> & { readonly states: MemberStates }) | undefined;
  /** Receives the channels whose messages changed. Absent if no rule reads messages. */
  readonly messages?: { readonly isAsked: () => boolean; readonly onChange: (channel: ChangedChannel) => void } | undefined;
  readonly ruleCommands?: RuleCommands | undefined;
  /** The status that rules set; absent: none. */
  readonly botStatus?: StatusStore | undefined;
  /** The id of this process; absent if there is only one. */
  readonly process?: string | undefined;
  /** Whether no other process answers in Discord; absent: there is none. */
  readonly isAlone?: (() => Promise<boolean>) | undefined;
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
  const { servers, settings, questions, ruleButtons, ruleCommands, clock, log } = options;
  const handled = options.handled ?? memoryHandledEvents(clock);
  const stopping = new AbortController();
  const signal = AbortSignal.any([options.signal, stopping.signal]);
  const { assistant, conversations, storedServers: stored } = options;
  // Without its settings, the permissions of Discord apply.
  const storedServer: FindStoredServer = async (id) => (id === null ? undefined : stored?.find(id).catch(() => undefined));
  const assistantFeature =
    assistant && conversations && createAssistantFeature({ ...options, assistant, conversations, storedServer, handled, signal });
  const talking = assistantFeature?.commands ?? [];
  const commands = [...allCommands({ ...options, handled, signal }, talking), ...talking];
  const commandsIn: CommandsIn = (server) => ruleCommands?.in(server).map((one) => ruleCommand(one, ruleCommands)) ?? [];
  const handle = dispatcher({
    commands,
    // Other servers of a bot without a list of servers have no commands of rules.
    commandsIn: (server) => (servers.some(({ id }) => id === server.id) ? commandsIn(server) : []),
    callerOf: async (interaction) => callerOf(interaction, { servers, settings, stored: await storedServer(interaction.guildId), signal }),
    questions,
    ruleButtons,
    log,
    signal,
  });
  const membership = stored && options.notices && createMembership({ ...options, stored, notices: options.notices, signal });
  const { botStatus } = options;
  const status = botStatus && settings.gateway ? createBotStatus({ statuses: botStatus, clock, log, signal }) : undefined;
  const { memberStates, messages } = options;
  const messageIntents = messages?.isAsked() && settings.gateway ? MESSAGE_INTENTS : [];
  const stateIntents =
    memberStates && settings.gateway ? intentsFor(await memberStates.asked().catch(() => ({ kinds: new Set<never>() }))) : [];
  const keepStates = memberStates && keepMemberStates({ ...memberStates, clock, log, signal });
  const online = openConnection({
    ...options,
    // Commands of all servers are there as soon as a server invites the bot.
    servers: settings.servers === 'any' ? [] : servers,
    earlierServers: settings.servers === 'any' ? servers : [],
    handled,
    commands,
    ruleCommands: ruleCommands && { in: commandsIn, onChange: ruleCommands.onChange },
    handle,
    optionalIntents: [...new Set([...(assistantFeature?.optionalIntents ?? []), ...stateIntents, ...messageIntents])],
    prepare(client, preparing) {
      assistantFeature?.attach(client, preparing);
      membership?.attach(client, preparing);
      status?.attach(client, preparing);
      keepStates?.(client, preparing);
      if (messages && messageIntents.length > 0) watchMessages(client, messages.onChange);
    },
    onOnline(client, preparing) {
      assistantFeature?.onOnline(client, preparing);
      const { controls, notices } = options;
      if (stored && controls && notices) preparing.work(keepAlerting(client.rest, { ...options, stored, controls, notices, signal }));
    },
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
