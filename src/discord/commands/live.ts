import { SlashCommandBuilder } from 'discord.js';
import type { Clock } from '#src/clock.ts';
import { PlatformError, UserError } from '#src/errors.ts';
import type { Bot } from '#src/streaming/bot.ts';
import { replyWith, type Reply } from '../reply.ts';
import { suggestions } from '../suggestions.ts';
import { escaped } from '../text/foreign-text.ts';
import { streamCard } from '../text/stream-card.ts';
import type { SlashCommand } from './command.ts';

export interface LiveOptions {
  readonly bot: Bot;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** `/live`: whether somebody is on the air. */
export function liveCommand({ bot, clock, signal }: LiveOptions): SlashCommand {
  const users = suggestions({ clock, load: async () => [...(await bot.getTopStreams({ signal }))].map(({ owner }) => owner.handle) });

  async function look(typed: string): Promise<Reply> {
    const handle = typed.trim().replace(/^@/, '');
    if (handle === '') throw new UserError('Write the name as it stands in the address of the channel.');
    const [stream] = await bot.getStreams({ users: [handle], signal });
    if (stream)
      return { content: `**${escaped(stream.owner.displayName, 100)}** is live:`, embeds: [streamCard(stream, { picture: 'large' })] };

    const user = await bot.getUser(handle, { signal }).catch((error: unknown) => {
      if (error instanceof PlatformError && error.fault === 'missing') {
        throw new UserError(`There is nobody called “${escaped(handle, 100)}”. Write the name as it stands in the address of the channel.`);
      }
      throw error;
    });
    const where = user.url === undefined ? '' : ` Their channel: <${user.url}>`;
    return { content: `**${escaped(user.displayName, 100)}** is not live at the moment.${where}` };
  }

  return {
    needs: 'look',
    data: new SlashCommandBuilder()
      .setName('live')
      .setDescription('Whether somebody is live')
      .addStringOption((option) =>
        option.setName('user').setDescription('The name in the address of the channel').setRequired(true).setAutocomplete(true),
      )
      .toJSON(),

    run: (interaction) => replyWith(interaction, look(interaction.options.getString('user', true)), clock),
    suggest: (interaction) => users.find(interaction.options.getFocused()),
  };
}
