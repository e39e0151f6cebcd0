import { ChannelType, MessageFlags, SlashCommandBuilder, type ChatInputCommandInteraction } from 'discord.js';
import { UserError } from '#src/errors.ts';
import { commandTarget } from '#src/discord/assistant/answer-target.ts';
import type { DraftButtons } from '#src/discord/assistant/draft-buttons.ts';
import { findPoint, locate, locationKey } from '#src/discord/assistant/location.ts';
import type { Responder } from '#src/discord/assistant/responder.ts';
import { isPrivateQuestion } from '#src/discord/assistant/private-question.ts';
import { openThread, threadRow, type OpenThreadOptions } from '#src/discord/assistant/thread.ts';
import { localize } from '#src/discord/language/languages.ts';
import type { SlashCommand } from '#src/discord/command.ts';

const MAX_QUESTION_LENGTH = 4_000;
/** The channels in which a message can have a thread. */
const THREADABLE: readonly unknown[] = [ChannelType.GuildText, ChannelType.GuildAnnouncement];

export interface AskOptions extends Omit<OpenThreadOptions, 'readsAll'> {
  readonly responder: Responder;
  readonly draftButtons: DraftButtons | undefined;
  /** The messages in threads that Discord sends to the bot. */
  readonly messageAccess: () => 'all' | 'mentions' | 'nothing';
}

/** `/ask`: asks the assistant. It remembers earlier questions of the user in the channel, or of all users in a thread. */
export function askCommand({ responder, points, assistant, clock, draftButtons, messageAccess }: AskOptions): SlashCommand {
  const allowsThread = ({ channel }: ChatInputCommandInteraction): boolean =>
    messageAccess() !== 'nothing' && THREADABLE.includes(channel?.type);

  return {
    needs: 'ask',
    // Members may approve a draft that they could not ask for.
    checked: Object.keys(draftButtons?.components ?? {}),
    data: localize(new SlashCommandBuilder(), (texts) => texts.assistant.ask)
      .addStringOption((option) =>
        localize(option, (texts) => texts.assistant.text)
          .setRequired(true)
          .setMaxLength(MAX_QUESTION_LENGTH),
      )
      .addBooleanOption((option) => localize(option, (texts) => texts.assistant.hidden))
      .addBooleanOption((option) => localize(option, (texts) => texts.assistant.newConversation))
      .toJSON(),

    async run(interaction, caller) {
      const { id, token, channelId: channel, options } = interaction;
      const text = options.getString('text', true);
      if (text.trim() === '') throw new UserError(caller.texts.assistant.nothingAsked);
      const isPrivate = isPrivateQuestion(interaction);
      await interaction.deferReply(isPrivate ? { flags: MessageFlags.Ephemeral } : {});
      const location = await locate(points, { channel, user: caller.id, isPrivate });
      await responder.answer({
        id,
        token,
        text,
        caller,
        channel,
        target: commandTarget(interaction),
        isPrivate,
        from: () => findPoint(points, location),
        location: locationKey(location),
        isNew: options.getBoolean('new') ?? false,
        rows: () => (isPrivate || location.isThread || !allowsThread(interaction) ? undefined : [threadRow(caller.publicTexts)]),
      });
    },

    components: {
      thread: (interaction, _, caller) =>
        openThread(interaction, caller, { assistant, points, clock, readsAll: messageAccess() === 'all' }),
      ...draftButtons?.components,
    },
  };
}
