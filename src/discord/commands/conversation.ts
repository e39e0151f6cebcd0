import { AttachmentBuilder, MessageFlags, SlashCommandBuilder, type ChatInputCommandInteraction } from 'discord.js';
import type { Assistant } from '#src/clients/assistant/assistant.ts';
import type { ConversationPoint, ConversationPoints } from '#src/clients/assistant/conversation-state.ts';
import type { AssistantMessage } from '#src/clients/assistant/records.ts';
import type { Clock } from '#src/clock.ts';
import { UserError } from '#src/errors.ts';
import { conversationsIn, findPoint, locate, locationKey, ownerOf, type Location } from '#src/discord/assistant/location.ts';
import { isPrivateQuestion } from '#src/discord/assistant/private-question.ts';
import type { Responder } from '#src/discord/assistant/responder.ts';
import type { Caller } from '#src/discord/caller.ts';
import { localize } from '#src/discord/language/languages.ts';
import type { Texts } from '#src/discord/language/texts.ts';
import { splitMessage } from '#src/discord/text/split-message.ts';
import { answerText, escaped } from '#src/discord/text/untrusted-text.ts';
import type { SlashCommand } from '#src/discord/command.ts';

export interface ConversationOptions {
  readonly assistant: Assistant;
  readonly points: ConversationPoints;
  readonly responder: Pick<Responder, 'forget'>;
  readonly clock: Clock;
}

const MAX_LENGTH = 1_800;
const MAX_QUESTION_LENGTH = 300;
const MAX_ANSWER_LENGTH = 1_200;

/** `/conversation history|forget`: the conversation with the assistant in a channel. */
export function conversationCommand(options: ConversationOptions): SlashCommand {
  const builder = localize(new SlashCommandBuilder(), ({ assistant }) => assistant.conversation);
  for (const name of ['history', 'forget'] as const) {
    builder.addSubcommand((subcommand) => {
      localize(subcommand, ({ assistant }) => assistant[name]).addBooleanOption((option) =>
        localize(option, ({ assistant }) => assistant.hiddenOne),
      );
      return name === 'history' ? subcommand : subcommand.addBooleanOption((option) => localize(option, ({ assistant }) => assistant.all));
    });
  }
  return {
    needs: 'ask',
    data: builder.toJSON(),
    async run(interaction, caller) {
      const isForget = interaction.options.getSubcommand() === 'forget';
      const act = !isForget ? showHistory : interaction.options.getBoolean('all') === true ? forgetAll : forgetConversation;
      await act(interaction, caller, options);
    },
  };
}

/** Shows the messages up to the last answer in the location. */
async function showHistory(interaction: ChatInputCommandInteraction, caller: Caller, options: ConversationOptions): Promise<void> {
  const { assistant: texts } = caller.texts;
  const { conversation, messageId } = await currentPoint(interaction, caller, options);
  await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  const messages = (await options.assistant.getConversation(conversation, { upTo: messageId }))?.messages ?? [];
  if (messages.length === 0) throw new UserError(texts.noHistory);

  const all = messages.map((message) => paragraphOf(message, caller.texts));
  const shown = lastWithin(all, MAX_LENGTH);
  const isWhole = shown.length === all.length && messages.every(isShort);
  await interaction.editReply({
    content: [...shown, ...(isWhole ? [] : [`-# ${texts.wholeHistory}`])].join('\n\n'),
    files: isWhole ? [] : [new AttachmentBuilder(Buffer.from(fileOf(messages, caller.texts)), { name: 'conversation.md' })],
    flags: MessageFlags.SuppressEmbeds,
  });
}

/** Forgets a conversation. A user who did not start it only leaves it; a shared thread cannot be left. */
async function forgetConversation(interaction: ChatInputCommandInteraction, caller: Caller, options: ConversationOptions): Promise<void> {
  const { points, responder, clock } = options;
  const { forgotten, leftOnly, notYours } = caller.texts.assistant;
  const { conversation, location } = await currentPoint(interaction, caller, options);
  await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  const owner = ownerOf(conversation);
  if (owner === caller.id || caller.may('operate')) {
    if (location.isThread) await points.keepThread(location.channel, clock.nowMs());
    await responder.forget(conversation);
    await interaction.editReply(forgotten);
    return;
  }
  const isShared = location.isThread && !location.isPrivate;
  if (!isShared) await points.leaveLocation(locationKey(location));
  await interaction.editReply({ content: (isShared ? notYours : leftOnly)(`<@${owner}>`), allowedMentions: { parse: [] } });
}

/** Forgets all conversations that the user started in the server, also those that no location continues. */
async function forgetAll(
  interaction: ChatInputCommandInteraction,
  caller: Caller,
  { assistant, responder }: ConversationOptions,
): Promise<void> {
  const { forgottenAll, noConversations } = caller.texts.assistant;
  await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  const all = await assistant.list({ prefix: conversationsIn(caller.server?.id), limit: Number.MAX_SAFE_INTEGER });
  const own = all.filter(({ id }) => ownerOf(id) === caller.id);
  for (const { id } of own) await responder.forget(id);
  await interaction.editReply(own.length === 0 ? noConversations : forgottenAll(own.length));
}

async function currentPoint(
  interaction: ChatInputCommandInteraction,
  { id, texts }: Caller,
  { points }: ConversationOptions,
): Promise<ConversationPoint & { readonly location: Location }> {
  const isPrivate = isPrivateQuestion(interaction);
  const location = await locate(points, { channel: interaction.channelId, user: id, isPrivate });
  const point = await findPoint(points, location);
  if (!point) throw new UserError(texts.assistant.noHistory);
  return { ...point, location };
}

function paragraphOf({ role, text }: AssistantMessage, { assistant }: Texts): string {
  if (role === 'user') return `**${assistant.asked}:** ${escaped(text, MAX_QUESTION_LENGTH)}`;
  const [start = ''] = splitMessage(answerText(text), MAX_ANSWER_LENGTH);
  return `**${assistant.answered}:** ${start}`;
}

/** Whether a message is shown completely; escaping may double its length. */
function isShort({ role, text }: AssistantMessage): boolean {
  return text.length < (role === 'user' ? MAX_QUESTION_LENGTH : MAX_ANSWER_LENGTH) / 2;
}

function lastWithin(paragraphs: readonly string[], max: number): readonly string[] {
  let length = 0;
  const first = paragraphs.findLastIndex((paragraph) => (length += paragraph.length + 2) > max);
  return paragraphs.slice(Math.min(first + 1, paragraphs.length - 1)).map((paragraph) => paragraph.slice(0, max));
}

function fileOf(messages: readonly AssistantMessage[], { assistant }: Texts): string {
  const parts = messages.map(({ role, text, createdAt }) => {
    const author = role === 'user' ? assistant.asked : assistant.answered;
    return `## ${author}, ${createdAt.toISOString()}\n\n${text}\n`;
  });
  return parts.join('\n');
}
