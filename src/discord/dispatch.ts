import type { AutocompleteInteraction, Interaction, RepliableInteraction } from 'discord.js';
import { UserError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import { logUse } from './access/use.ts';
import type { Asker } from './asker.ts';
import type { Command, MessageCommand, SlashCommand, Suggestion } from './commands/command.ts';
import { answerQuestion, type Questions } from './questions.ts';
import { isExplained, reasonOf, refuse } from './refusal.ts';
import { oneLine } from './text/foreign-text.ts';

const MOST_CHOICES = 25;
const LONGEST_CHOICE = 100;

export interface DispatchOptions {
  readonly commands: readonly Command[];
  /** Who is behind an interaction. */
  readonly askerOf: (interaction: Interaction) => Asker;
  /** Who takes the answers that people give by buttons; without it, nobody does. */
  readonly questions?: Questions | undefined;
  readonly log: Log;
  /** Aborted when the bot goes offline. */
  readonly signal: AbortSignal;
}

/** Gives each interaction to its command. Never rejects: what cannot be told to the person is logged. */
export function dispatcher({ commands, askerOf, questions, log, signal }: DispatchOptions): (interaction: Interaction) => Promise<void> {
  const slash = new Map(commands.filter(isSlash).map((command) => [command.data.name, command]));
  const menu = new Map(commands.filter(isMenu).map((command) => [command.data.name, command]));
  const byName = new Map(commands.map((command) => [command.data.name, command]));

  async function suggest(interaction: AutocompleteInteraction, asker: Asker): Promise<void> {
    const command = slash.get(interaction.commandName);
    const mine = command && asker.may(command.needs) ? await suggestionsOf(command, interaction, asker) : [];
    await interaction.respond(toChoices(interaction.options.getFocused(), mine));
  }

  /** What is wrong with what stands in the other options is told by the command itself. */
  async function suggestionsOf(command: SlashCommand, interaction: AutocompleteInteraction, asker: Asker): Promise<readonly Suggestion[]> {
    try {
      return (await command.suggest?.(interaction, asker)) ?? [];
    } catch (error) {
      if (!isExplained(error) && !signal.aborted) log.error({ error }, 'nothing could be suggested');
      return [];
    }
  }

  /** Does what somebody asked for, if they may; what goes wrong is told to them. */
  async function attempt(
    interaction: RepliableInteraction,
    asker: Asker,
    { needs }: Partial<Command>,
    work: () => Promise<unknown>,
  ): Promise<void> {
    if (needs && !asker.may(needs)) {
      logUse(interaction, asker, log, 'refused');
      await refuse(interaction, new UserError(asker.words.errors.notAllowed), asker.words);
      return;
    }
    try {
      await work();
      logUse(interaction, asker, log, 'done');
    } catch (cause) {
      const error = signal.aborted ? new UserError(asker.words.errors.restarting) : cause;
      logUse(interaction, asker, log, signal.aborted ? 'broken off' : 'failed', reasonOf(error));
      if (!isExplained(error)) log.error({ error }, interaction.isCommand() ? 'a command failed' : 'an answer could not be taken');
      await refuse(interaction, error, asker.words);
    }
  }

  /** A button, a select or a form belongs to the command that its custom id begins with, or to a question. */
  async function press(interaction: RepliableInteraction & { readonly customId: string }, asker: Asker): Promise<void> {
    const [name = '', ...parts] = interaction.customId.split(':');
    const command = byName.get(name);
    const isPressed = interaction.isMessageComponent() || interaction.isModalSubmit();
    if (isPressed && command?.press) await attempt(interaction, asker, command, async () => command.press?.(interaction, parts, asker));
    else if (questions && (interaction.isButton() || interaction.isModalSubmit())) {
      await attempt(interaction, asker, {}, async () => {
        if (!(await answerQuestion(interaction, questions, asker))) throw new UserError(asker.words.errors.gone);
      });
    } else await attempt(interaction, asker, {}, async () => gone(asker));
  }

  return async (interaction) => {
    try {
      const asker = askerOf(interaction);
      if (interaction.isAutocomplete()) await suggest(interaction, asker);
      else if (interaction.isChatInputCommand()) {
        const command = slash.get(interaction.commandName);
        await attempt(interaction, asker, command ?? {}, async () => (command ?? gone(asker)).run(interaction, asker));
      } else if (interaction.isMessageContextMenuCommand()) {
        const command = menu.get(interaction.commandName);
        await attempt(interaction, asker, command ?? {}, async () => (command ?? gone(asker)).run(interaction, asker));
      } else if (interaction.isRepliable() && 'customId' in interaction) await press(interaction, asker);
    } catch (error) {
      log.warn({ error }, 'Discord did not take an answer to an interaction');
    }
  };
}

/** Of a command that Discord still offers, and that there is no more. */
function gone({ words }: Asker): never {
  throw new UserError(words.errors.gone);
}

function isSlash(command: Command): command is SlashCommand {
  return 'description' in command.data;
}

function isMenu(command: Command): command is MessageCommand {
  return !isSlash(command);
}

/** What was typed can always be chosen, first of all; no two choices look the same. */
function toChoices(typed: string, found: readonly Suggestion[]): readonly Choice[] {
  const choices = new Map<string, Choice>();
  const given = found.map((one) => (typeof one === 'string' ? { name: one, value: one } : one));
  // Where it stands for another value, what was typed is none of them.
  const first = given.some(({ name, value }) => name !== value) ? [] : [{ name: typed, value: typed }];
  for (const { name: long, value } of [...first, ...given]) {
    const name = oneLine(long, LONGEST_CHOICE);
    const look = name.toLowerCase();
    if (name !== '' && value.length <= LONGEST_CHOICE && !choices.has(look)) choices.set(look, { name, value });
  }
  return [...choices.values()].slice(0, MOST_CHOICES);
}

interface Choice {
  readonly name: string;
  readonly value: string;
}
