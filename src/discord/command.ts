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
import type { Caller } from './caller.ts';

interface Parts {
  /** The ability that the command and its buttons need. */
  readonly needs: Ability;
  /**
   * Handles a button, a menu or a form. Its custom id is the name of the command and `parts`, joined by colons.
   * The user sees the errors.
   */
  onComponent?(interaction: MessageComponentInteraction | ModalSubmitInteraction, parts: readonly string[], caller: Caller): Promise<void>;
}

export interface SlashCommand extends Parts {
  readonly data: RESTPostAPIChatInputApplicationCommandsJSONBody;
  /** Answers the command. The user sees the errors. */
  run(interaction: ChatInputCommandInteraction, caller: Caller): Promise<void>;
  /** Suggests values while the user types. */
  suggest?(interaction: AutocompleteInteraction, caller: Caller): Promise<readonly Suggestion[]>;
}

/** An entry in the menu of a message. */
export interface MessageCommand extends Parts {
  readonly data: RESTPostAPIContextMenuApplicationCommandsJSONBody;
  run(interaction: MessageContextMenuCommandInteraction, caller: Caller): Promise<void>;
}

export type Command = SlashCommand | MessageCommand;

/** A suggested value, with its name if that differs. */
export type Suggestion = string | { readonly name: string; readonly value: string };
