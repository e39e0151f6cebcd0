import {
  ApplicationCommandOptionType,
  type AutocompleteInteraction,
  type CommandInteractionOption,
  type Interaction,
  type RepliableInteraction,
} from 'discord.js';
import { UserError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { Caller } from './caller.ts';
import { isSlash, refusalOf, type Command, type MessageCommand, type SlashCommand, type Suggestion } from './command.ts';
import { isExplained, isOver, logFailedWrite, NotAllowed, reasonOf, refuse } from './explain-error.ts';
import { onPress, type RuleButtons } from './rule-buttons.ts';
import type { CommandsIn } from './register.ts';
import { answerQuestion, type Questions } from './questions.ts';
import { isPrivate } from './reply.ts';
import { oneLine } from '#src/discord/text/untrusted-text.ts';

/** The result of an interaction. */
type Outcome = 'done' | 'failed' | 'interrupted' | 'refused';

const LONGEST_VALUE = 80;
const MAX_LINE_LENGTH = 400;

interface Ending {
  readonly log: Log;
  readonly outcome: Outcome;
  readonly reason?: string | undefined;
  /** Whether the command belongs to a rule. */
  readonly isOfRule: boolean;
}

/** Logs the user, the server, the command and its options in one line. */
function logInteraction(interaction: Interaction, { id, name, server }: Caller, { log, outcome, reason, isOfRule }: Ending): void {
  const what = describeInteraction(interaction, isOfRule);
  if (what === undefined) return;
  const where = server ? { in: server.account } : {};
  log.info(
    { by: `${oneLine(name, LONGEST_VALUE)} (${id})`, ...where, outcome, ...(reason !== undefined && { reason }) },
    oneLine(what, MAX_LINE_LENGTH),
  );
}

/** As `/game streams game:VALORANT`; undefined for autocompletion. */
function describeInteraction(interaction: Interaction, isOfRule: boolean): string | undefined {
  if (interaction.isChatInputCommand()) {
    // Texts that only the member sees stay out of the log. Options of rules have any name.
    const isHidden = ({ name, type }: CommandInteractionOption): boolean =>
      interaction.ephemeral !== false && (isOfRule ? type === ApplicationCommandOptionType.String : name === 'text');
    return ['/' + interaction.commandName, ...typed(interaction.options.data, isHidden)].join(' ');
  }
  if (interaction.isContextMenuCommand()) return `${interaction.commandName} on ${interaction.targetId}`;
  if (interaction.isModalSubmit()) {
    // The form below a message that everyone sees answers it.
    const isHidden = !interaction.isFromMessage() || isPrivate(interaction);
    const fields = [...interaction.fields.fields.values()]
      .filter(({ customId }) => !isHidden || customId !== 'text')
      .map((field) => pair(field.customId, 'value' in field ? field.value : field.values));
    return ['form', interaction.customId, ...fields].join(' ');
  }
  if (interaction.isAnySelectMenu()) return ['select', interaction.customId, ...interaction.values].join(' ');
  return interaction.isMessageComponent() ? `button ${interaction.customId}` : undefined;
}

function typed(options: readonly CommandInteractionOption[], isHidden: (option: CommandInteractionOption) => boolean): readonly string[] {
  return options.flatMap((option) => {
    const { name, value, options: inner, user, role, channel } = option;
    if (inner) return [name, ...typed(inner, isHidden)];
    if (isHidden(option)) return [];
    const named = user ? `@${user.username}` : role ? `@${role.name}` : channel ? `#${channel.name}` : value;
    return [pair(name, named)];
  });
}

/** An option with its value, shortened, and in quotes if it has spaces. */
function pair(name: string, value: unknown): string {
  const text = oneLine([value].flat().join(', '), LONGEST_VALUE);
  return `${name}:${/^[^\s"]+$/u.test(text) ? text : JSON.stringify(text)}`;
}

const MOST_CHOICES = 25;
const LONGEST_CHOICE = 100;
const SHORTEST_NAME = 40;

interface DispatchOptions {
  readonly commands: readonly Command[];
  /** The commands of rules in a server. */
  readonly commandsIn?: CommandsIn | undefined;
  readonly callerOf: (interaction: Interaction) => Caller | Promise<Caller>;
  /** Handles the answers to questions of rules. */
  readonly questions?: Questions | undefined;
  /** Finds the messages of rules with buttons. */
  readonly ruleButtons?: RuleButtons | undefined;
  readonly log: Log;
  /** Aborted when the bot goes offline. */
  readonly signal: AbortSignal;
}

/** Passes each interaction to its command. Never rejects: failures that the user cannot see are logged. */
export function dispatcher({
  commands,
  commandsIn = () => [],
  callerOf,
  questions,
  ruleButtons,
  log,
  signal,
}: DispatchOptions): (interaction: Interaction) => Promise<void> {
  const slash = new Map(commands.filter(isSlash).map((command) => [command.data.name, command]));
  const menu = new Map(commands.filter(isMenu).map((command) => [command.data.name, command]));
  const byName = new Map(commands.map((command) => [command.data.name, command]));

  function commandOfRule(name: string, { server }: Caller): SlashCommand | undefined {
    return (
      server &&
      commandsIn(server)
        .filter(isSlash)
        .find(({ data }) => data.name === name)
    );
  }

  function note(interaction: RepliableInteraction, caller: Caller, outcome: Outcome, reason?: string): void {
    const isOfRule = interaction.isChatInputCommand() && !slash.has(interaction.commandName);
    logInteraction(interaction, caller, { log, outcome, reason, isOfRule });
  }

  async function suggest(interaction: AutocompleteInteraction, caller: Caller): Promise<void> {
    const command = slash.get(interaction.commandName);
    const found =
      command && !refusalOf(command, caller, interaction.options.getSubcommand(false))
        ? await suggestionsOf(command, interaction, caller)
        : [];
    await interaction.respond(toChoices(found));
  }

  /** The command reports invalid values of the other options when the user runs it. */
  async function suggestionsOf(
    command: SlashCommand,
    interaction: AutocompleteInteraction,
    caller: Caller,
  ): Promise<readonly Suggestion[]> {
    try {
      return (await command.suggest?.(interaction, caller)) ?? [];
    } catch (error) {
      if (!isExplained(error) && !signal.aborted) log.error({ error }, 'suggestions failed');
      return [];
    }
  }

  /** Runs the work if the user has the permission. Shows a failure to the user. */
  async function attempt(
    interaction: RepliableInteraction,
    caller: Caller,
    command: Partial<Command>,
    work: () => Promise<unknown>,
  ): Promise<void> {
    try {
      const refusal = refusalOf(command, caller, partOf(interaction));
      if (refusal !== undefined) throw new NotAllowed(refusal);
      await work();
      note(interaction, caller, 'done');
    } catch (cause) {
      if (isOver(cause)) {
        // The user would not see the error either.
        note(interaction, caller, 'failed', reasonOf(cause));
        return;
      }
      const error = signal.aborted ? new UserError(caller.texts.errors.restarting) : cause;
      const outcome = signal.aborted ? 'interrupted' : error instanceof NotAllowed ? 'refused' : 'failed';
      if (!isExplained(error)) log.error({ error }, interaction.isCommand() ? 'a command failed' : 'a button failed');
      try {
        await refuse(interaction, error, caller.texts);
      } finally {
        note(interaction, caller, outcome, reasonOf(error));
      }
    }
  }

  /** The custom id of a button, a menu or a form starts with the name of its command. Other ids belong to buttons of rules or to questions. */
  async function onComponent(interaction: RepliableInteraction & { readonly customId: string }, caller: Caller): Promise<void> {
    const [name = '', action = '', ...parts] = interaction.customId.split(':');
    const command = byName.get(name);
    if (command?.components || command?.forms) {
      await attempt(interaction, caller, command, async () => {
        if (interaction.isModalSubmit()) await handlerOf(command.forms, action, caller)(interaction, parts, caller);
        else if (interaction.isMessageComponent()) await handlerOf(command.components, action, caller)(interaction, parts, caller);
      });
    } else {
      await attempt(interaction, caller, {}, async () => {
        if (ruleButtons && interaction.isButton() && (await onPress(interaction, ruleButtons, caller))) return;
        if (questions && (await answerQuestion(interaction, questions, caller))) return;
        gone(caller);
      });
    }
  }

  return async (interaction) => {
    try {
      const caller = await callerOf(interaction);
      if (interaction.isAutocomplete()) await suggest(interaction, caller);
      else if (interaction.isChatInputCommand()) {
        const command = slash.get(interaction.commandName) ?? commandOfRule(interaction.commandName, caller);
        await attempt(interaction, caller, command ?? {}, async () => (command ?? commandGone(caller)).run(interaction, caller));
      } else if (interaction.isMessageContextMenuCommand()) {
        const command = menu.get(interaction.commandName);
        await attempt(interaction, caller, command ?? {}, async () => (command ?? commandGone(caller)).run(interaction, caller));
      } else if (interaction.isRepliable() && 'customId' in interaction) await onComponent(interaction, caller);
    } catch (error) {
      logFailedWrite(log, error, 'Discord rejected the response to an interaction');
    }
  };
}

/** The subcommand, or the action of a component. */
function partOf(interaction: RepliableInteraction): string | null {
  if (interaction.isChatInputCommand()) return interaction.options.getSubcommand(false);
  return 'customId' in interaction ? (interaction.customId.split(':')[1] ?? null) : null;
}

/** Discord may still show a command of an earlier version, or of a removed rule. */
function commandGone({ texts }: Caller): never {
  throw new UserError(texts.errors.commandGone);
}

/** A message may have buttons of an earlier version. */
function gone({ texts }: Caller): never {
  throw new UserError(texts.errors.gone);
}

/** Custom ids are not secret, so the action may be any text. */
function handlerOf<H>(handlers: Readonly<Record<string, H>> | undefined, action: string, caller: Caller): H {
  return (handlers && Object.hasOwn(handlers, action) ? handlers[action] : undefined) ?? gone(caller);
}

function isMenu(command: Command): command is MessageCommand {
  return !isSlash(command);
}

/** Equal names are shown with their values, so that a user sees which one is which. A typed name that equals a suggestion appears once. */
function toChoices(found: readonly Suggestion[]): readonly Choice[] {
  const choices = found
    .map((one) => (typeof one === 'string' ? { name: one, value: one } : one))
    .map(({ name, value }) => ({ name: oneLine(name, LONGEST_CHOICE), value }))
    .filter(({ name, value }) => name !== '' && value.length <= LONGEST_CHOICE);
  const distinct = [...new Map(choices.toReversed().map((one) => [keyOf(`${one.name}\n${one.value}`), one])).values()].toReversed();
  const namesakes = Map.groupBy(distinct, ({ name }) => keyOf(name));
  return distinct.slice(0, MOST_CHOICES).map(({ name, value }) => {
    if (namesakes.get(keyOf(name))?.length === 1) return { name, value };
    const shown = oneLine(value, LONGEST_CHOICE - SHORTEST_NAME);
    return { name: `${oneLine(name, LONGEST_CHOICE - shown.length - 3)} · ${shown}`, value };
  });
}

function keyOf(text: string): string {
  return text.toLowerCase();
}

interface Choice {
  readonly name: string;
  readonly value: string;
}
