import { SlashCommandBuilder } from 'discord.js';
import { publicOption } from '../controls/options.ts';
import { statusCard } from '../controls/status-card.ts';
import { tell } from '../controls/tell.ts';
import { titled } from '../language/languages.ts';
import type { SlashCommand } from './command.ts';
import type { RulesOptions } from './rules.ts';

/** `/status`: how the bot is. */
export function statusCommand({ controls, clock }: RulesOptions): SlashCommand {
  return {
    needs: 'operate',
    data: titled(new SlashCommandBuilder(), (words) => words.controls.status)
      .addBooleanOption(publicOption)
      .toJSON(),

    run: (interaction, asker) =>
      tell(interaction, asker, {
        make: async (reader) => {
          const { ping } = interaction.client.ws;
          return statusCard(await controls.status(), ping >= 0 ? ping : undefined, reader);
        },
        clock,
      }),
  };
}
