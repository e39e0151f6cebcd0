import type { Interaction } from 'discord.js';
import type { Log } from '#src/log.ts';
import type { Asker } from '../asker.ts';

/** Writes down who used what: commands with their options, buttons and forms by their id. */
export function logUse(
  interaction: Interaction,
  { id, name, server }: Asker,
  log: Log,
  outcome: 'done' | 'failed' | 'broken off' | 'refused',
): void {
  const who = { by: `${name} (${id})`, ...(server && { server: server.id }) };
  if (interaction.isChatInputCommand()) {
    log.info({ ...who, outcome }, `/${[interaction.commandName, ...pathOf(interaction.options)].join(' ')}`);
  } else if (interaction.isCommand()) log.info({ ...who, outcome }, interaction.commandName);
  else if ('customId' in interaction) log.info({ ...who, outcome }, interaction.customId);
}

function pathOf(options: {
  getSubcommandGroup(required: false): string | null;
  getSubcommand(required: false): string | null;
}): readonly string[] {
  return [options.getSubcommandGroup(false), options.getSubcommand(false)].filter((part) => part !== null);
}
