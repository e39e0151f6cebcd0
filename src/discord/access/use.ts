import type { CommandInteractionOption, Interaction } from 'discord.js';
import type { Log } from '#src/log.ts';
import type { Asker } from '../asker.ts';
import { oneLine } from '../text/foreign-text.ts';

/** What became of a use. */
export type Outcome = 'done' | 'failed' | 'broken off' | 'refused';

const LONGEST_VALUE = 80;
const LONGEST_LINE = 400;

/** Writes down in one line who used what, where, and what they typed. */
export function logUse(interaction: Interaction, { id, name, server }: Asker, log: Log, outcome: Outcome, reason?: string): void {
  const what = whatIsUsed(interaction);
  if (what === undefined) return;
  const where = server ? { in: server.account } : {};
  log.info(
    { by: `${oneLine(name, LONGEST_VALUE)} (${id})`, ...where, outcome, ...(reason !== undefined && { reason }) },
    oneLine(what, LONGEST_LINE),
  );
}

/** As `/game streams game:VALORANT`; undefined for what is no use, as typing. */
function whatIsUsed(interaction: Interaction): string | undefined {
  if (interaction.isChatInputCommand()) {
    // What is answered in private is asked in private.
    const isPrivate = interaction.options.getBoolean('private') ?? false;
    const options = typed(interaction.options.data).filter((option) => !isPrivate || !option.startsWith('text:'));
    return ['/' + interaction.commandName, ...options].join(' ');
  }
  if (interaction.isContextMenuCommand()) return `${interaction.commandName} on ${interaction.targetId}`;
  if (interaction.isModalSubmit()) {
    const fields = [...interaction.fields.fields.values()].map((field) =>
      pair(field.customId, 'value' in field ? field.value : field.values),
    );
    return ['form', interaction.customId, ...fields].join(' ');
  }
  if (interaction.isAnySelectMenu()) return ['select', interaction.customId, ...interaction.values].join(' ');
  return interaction.isMessageComponent() ? `button ${interaction.customId}` : undefined;
}

function typed(options: readonly CommandInteractionOption[]): readonly string[] {
  return options.flatMap(({ name, value, options: inner, user, role, channel }) => {
    if (inner) return [name, ...typed(inner)];
    const named = user ? `@${user.username}` : role ? `@${role.name}` : channel ? `#${channel.name}` : value;
    return [pair(name, named)];
  });
}

/** A name and what was given for it: text shortened, and between quotes where one could not see its end. */
function pair(name: string, value: unknown): string {
  const text = oneLine([value].flat().join(', '), LONGEST_VALUE);
  return `${name}:${/^[^\s"]+$/u.test(text) ? text : JSON.stringify(text)}`;
}
