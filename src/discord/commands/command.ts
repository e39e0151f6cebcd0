import type { AutocompleteInteraction, ChatInputCommandInteraction, RESTPostAPIChatInputApplicationCommandsJSONBody } from 'discord.js';

/** A slash command. */
export interface Command {
  readonly data: RESTPostAPIChatInputApplicationCommandsJSONBody;
  /** Answers it; what it throws is told to the person who asked. */
  run(interaction: ChatInputCommandInteraction): Promise<void>;
  /** What may be meant by what is typed so far. */
  suggest?(interaction: AutocompleteInteraction): Promise<readonly string[]>;
}
