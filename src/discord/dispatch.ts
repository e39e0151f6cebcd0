import type { AutocompleteInteraction, Interaction, RepliableInteraction } from 'discord.js';
import { UserError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { Command } from './commands/command.ts';
import { answerQuestion, type Questions } from './questions.ts';
import { isExplained, refuse } from './refusal.ts';
import { oneLine } from './text/foreign-text.ts';

const MOST_CHOICES = 25;
const LONGEST_CHOICE = 100;

export interface DispatchOptions {
  readonly commands: readonly Command[];
  /** Who takes the answers that people give by buttons; without it, nobody does. */
  readonly questions?: Questions | undefined;
  readonly log: Log;
  /** Aborted when the bot goes offline. */
  readonly signal: AbortSignal;
}

/** Gives each interaction to its command. Never rejects: what cannot be told to the person is logged. */
export function dispatcher({ commands, questions, log, signal }: DispatchOptions): (interaction: Interaction) => Promise<void> {
  const byName = new Map(commands.map((command) => [command.data.name, command]));

  async function suggest(interaction: AutocompleteInteraction): Promise<void> {
    const typed = interaction.options.getFocused();
    const found = (await byName.get(interaction.commandName)?.suggest?.(interaction)) ?? [];
    await interaction.respond(toChoices(typed, found));
  }

  /** Does what somebody asked for; what goes wrong is told to them. */
  async function attempt(interaction: RepliableInteraction, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      const error = signal.aborted ? new UserError('The bot is being restarted. Ask again in a minute.') : cause;
      const command = interaction.isCommand() ? interaction.commandName : undefined;
      if (!isExplained(error))
        log.error({ error, ...(command && { command }) }, command ? 'a command failed' : 'an answer could not be taken');
      await refuse(interaction, error);
    }
  }

  return async (interaction) => {
    try {
      if (interaction.isAutocomplete()) await suggest(interaction);
      else if (interaction.isChatInputCommand()) {
        await attempt(interaction, async () => byName.get(interaction.commandName)?.run(interaction));
      } else if (questions && interaction.isRepliable()) await attempt(interaction, () => answerQuestion(interaction, questions));
    } catch (error) {
      log.warn({ error }, 'Discord did not take an answer to an interaction');
    }
  };
}

/** What was typed can always be chosen, first of all; no two choices look the same. */
function toChoices(typed: string, found: readonly string[]): readonly Choice[] {
  const choices = new Map<string, Choice>();
  for (const value of [typed, ...found]) {
    const name = oneLine(value, LONGEST_CHOICE);
    const look = name.toLowerCase();
    if (name !== '' && value.length <= LONGEST_CHOICE && !choices.has(look)) choices.set(look, { name, value });
  }
  return [...choices.values()].slice(0, MOST_CHOICES);
}

interface Choice {
  readonly name: string;
  readonly value: string;
}
