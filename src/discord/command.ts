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

/** Handles a button or a menu. The user sees the errors. */
export type ComponentHandler = (interaction: MessageComponentInteraction, parts: readonly string[], caller: Caller) => Promise<void>;

/** Handles a submitted form. The user sees the errors. */
export type FormHandler = (interaction: ModalSubmitInteraction, parts: readonly string[], caller: Caller) => Promise<void>;

interface Parts {
  /** The ability that the command and its buttons need. */
  readonly needs: Ability;
  /** The actions of its buttons whose handlers check the permissions of members instead. */
  readonly checked?: readonly string[] | undefined;
  /**
   * Whether it acts only on what belongs to the server of the caller, although members with its ability operate the installation. A list
   * names the subcommands and the actions that do.
   */
  readonly inServer?: boolean | readonly string[];
  /** Its buttons and menus by action. Their custom ids are the name of the command, the action and `parts`, joined by colons. */
  readonly components?: Readonly<Record<string, ComponentHandler>>;
  /** Its forms by action, with such custom ids. */
  readonly forms?: Readonly<Record<string, FormHandler>>;
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

export function isSlash(command: Command): command is SlashCommand {
  return 'description' in command.data;
}

/** A suggested value, with its name if that differs. */
export type Suggestion = string | { readonly name: string; readonly value: string };

/** The abilities to act on the whole installation, for which only the home server has members. */
const OF_INSTALLATION: readonly Ability[] = ['post', 'operate'];

/** Why the user may not use a part of a command; undefined: they may. */
export function refusalOf(
  { needs, checked = [], inServer = false }: Partial<Pick<Command, 'needs' | 'checked' | 'inServer'>>,
  caller: Caller,
  part: string | null,
): string | undefined {
  if (needs === undefined) return undefined;
  const { scope, server, isDirect, texts } = caller;
  if (server && part !== null && checked.includes(part)) return undefined;
  if (!caller.may(needs)) return isDirect ? texts.setup.noServer : texts.errors.notAllowed;
  const isOfServer = typeof inServer === 'boolean' ? inServer : part !== null && inServer.includes(part);
  return scope && OF_INSTALLATION.includes(needs) && !isOfServer ? texts.errors.homeOnly : undefined;
}
