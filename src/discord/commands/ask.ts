import { ChannelType, MessageFlags, SlashCommandBuilder, type ChatInputCommandInteraction } from 'discord.js';
import { UserError } from '#src/errors.ts';
import type { DraftButtons } from '../assistant/draft-buttons.ts';
import { commandPage } from '../assistant/page.ts';
import { placeOf, pointOf, spotOf } from '../assistant/places.ts';
import type { Talk } from '../assistant/talk.ts';
import { openThread, threadRow, type OpenThreadOptions } from '../assistant/thread.ts';
import { titled } from '../language/languages.ts';
import type { SlashCommand } from './command.ts';

const LONGEST_QUESTION = 4_000;
/** Where a thread can grow from a message. */
const THREADABLE: readonly unknown[] = [ChannelType.GuildText, ChannelType.GuildAnnouncement];

export interface AskOptions extends Omit<OpenThreadOptions, 'readsAll'> {
  readonly talk: Talk;
  readonly draftButtons: DraftButtons | undefined;
  /** Whether messages in threads are heard of, all of them or those that mention the bot. */
  readonly hears: () => 'all' | 'mentions' | 'nothing';
}

/** `/ask`: talks to the assistant, who remembers what the person asked in the channel, or what was said in a thread. */
export function askCommand({ talk, places, assistant, clock, draftButtons, hears }: AskOptions): SlashCommand {
  const growsThread = ({ channel }: ChatInputCommandInteraction): boolean => hears() !== 'nothing' && THREADABLE.includes(channel?.type);

  return {
    needs: 'ask',
    data: titled(new SlashCommandBuilder(), (words) => words.assistant.ask)
      .addStringOption((option) =>
        titled(option, (words) => words.assistant.text)
          .setRequired(true)
          .setMaxLength(LONGEST_QUESTION),
      )
      .addBooleanOption((option) => titled(option, (words) => words.assistant.hidden))
      .addBooleanOption((option) => titled(option, (words) => words.assistant.anew))
      .toJSON(),

    async run(interaction, asker) {
      const { id, token, channelId: channel, options } = interaction;
      const text = options.getString('text', true);
      if (text.trim() === '') throw new UserError(asker.words.assistant.nothingAsked);
      const isPrivate = options.getBoolean('private') ?? false;
      await interaction.deferReply(isPrivate ? { flags: MessageFlags.Ephemeral } : {});
      const spot = await spotOf(places, { channel, person: asker.id, isPrivate });
      const isNew = options.getBoolean('new') ?? false;
      await talk.answer({
        id,
        token,
        text,
        asker,
        channel,
        page: commandPage(interaction),
        isPrivate,
        from: () => pointOf(places, spot),
        place: placeOf(spot),
        isNew,
        rows: () => (isPrivate || spot.isThread || !growsThread(interaction) ? undefined : [threadRow(asker.publicWords)]),
      });
    },

    async press(interaction, [act = '', id = ''], asker) {
      if (!interaction.isMessageComponent()) throw new UserError(asker.words.errors.gone);
      if (act === 'thread') await openThread(interaction, asker, { assistant, places, clock, readsAll: hears() === 'all' });
      else if (draftButtons) await draftButtons.press(interaction, { act, id }, asker);
      else throw new UserError(asker.words.errors.gone);
    },
  };
}
