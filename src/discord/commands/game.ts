import { SlashCommandBuilder } from 'discord.js';
import type { Clock } from '#src/clock.ts';
import { PlatformError, UserError } from '#src/errors.ts';
import type { Bot } from '#src/streaming/bot.ts';
import { replyWith, type Reply } from '../reply.ts';
import { suggestions } from '../suggestions.ts';
import { escaped } from '../text/foreign-text.ts';
import { streamCard } from '../text/stream-card.ts';
import type { SlashCommand } from './command.ts';

const SHOWN = 5;

export interface GameOptions {
  readonly bot: Bot;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** `/game streams`: who is watched most in a game. */
export function gameCommand({ bot, clock, signal }: GameOptions): SlashCommand {
  const games = suggestions({ clock, load: async () => [...(await bot.getTopGames({ signal }))].map(({ name }) => name) });

  async function topStreams(game: string): Promise<Reply> {
    const streams = await bot.getGameStreams(game, { signal }).catch((error: unknown) => {
      if (error instanceof PlatformError && error.fault === 'missing') {
        throw new UserError(`There is no game called “${escaped(game, 100)}”. Pick one from the list that appears while you type.`);
      }
      throw error;
    });
    const name = `**${escaped(streams.at(0)?.game?.name ?? game, 100)}**`;
    if (streams.length === 0) return { content: `Nobody streams ${name} at the moment.` };
    const cards = streams.items.slice(0, SHOWN).map((stream) => streamCard(stream, { picture: 'small' }));
    return { content: `Most watched in ${name}:`, embeds: cards };
  }

  return {
    needs: 'look',
    data: new SlashCommandBuilder()
      .setName('game')
      .setDescription('What goes on in a game')
      .addSubcommand((subcommand) =>
        subcommand
          .setName('streams')
          .setDescription('The most watched streams of a game')
          .addStringOption((option) => option.setName('game').setDescription('Its name').setRequired(true).setAutocomplete(true)),
      )
      .toJSON(),

    run: (interaction) => replyWith(interaction, topStreams(interaction.options.getString('game', true)), clock),
    suggest: (interaction) => games.find(interaction.options.getFocused()),
  };
}
