import type {
  AutocompleteInteraction,
  ChatInputCommandInteraction,
  MessageComponentInteraction,
  MessageContextMenuCommandInteraction,
  ModalSubmitInteraction,
  RESTPostAPIChatInputApplicationCommandsJSONBody,
  RESTPostAPIContextMenuApplicationCommandsJSONBody,
} from 'discord.js';
import type { Ability } from '#src/config/discord-settings.ts';
import type { Asker } from '../asker.ts';

interface Parts {
  /** Who may use it, its buttons included. */
  readonly needs: Ability;
  /**
   * Takes what somebody did with a button, a select or a modal whose custom id is the command's name and these `parts`, joined by colons.
   * What it throws is told to the person.
   */
  press?(interaction: MessageComponentInteraction | ModalSubmitInteraction, parts: readonly string[], asker: Asker): Promise<void>;
}

/** A slash command. */
export interface SlashCommand extends Parts {
  readonly data: RESTPostAPIChatInputApplicationCommandsJSONBody;
  /** Answers it; what it throws is told to the person who asked. */
  run(interaction: ChatInputCommandInteraction, asker: Asker): Promise<void>;
  /** What may be meant by what is typed so far. */
  suggest?(interaction: AutocompleteInteraction, asker: Asker): Promise<readonly Suggestion[]>;
}

/** An entry in the menu of a message. */
export interface MessageCommand extends Parts {
  readonly data: RESTPostAPIContextMenuApplicationCommandsJSONBody;
  run(interaction: MessageContextMenuCommandInteraction, asker: Asker): Promise<void>;
}

export type Command = SlashCommand | MessageCommand;

/** A value that is offered while somebody types, and how it reads where that is not the same. */
export type Suggestion = string | { readonly name: string; readonly value: string };
