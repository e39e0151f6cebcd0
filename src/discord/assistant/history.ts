import { AttachmentBuilder, MessageFlags, type ChatInputCommandInteraction } from 'discord.js';
import type { Assistant } from '#src/assistant/assistant.ts';
import type { AssistantMessage } from '#src/assistant/records.ts';
import { UserError } from '#src/errors.ts';
import type { Clock } from '#src/clock.ts';
import type { AnswerPlaces, ConversationPoint } from '#src/store/answer-places.ts';
import type { Asker } from '../asker.ts';
import type { Words } from '../language/words.ts';
import { answerText } from '../text/answer-text.ts';
import { escaped } from '../text/foreign-text.ts';
import { splitMessage } from '../text/split-message.ts';
import { beginnerOf } from './conversation-id.ts';
import { placeOf, pointOf, spotOf, type Spot } from './places.ts';
import type { Talk } from './talk.ts';

export interface HistoryOptions {
  readonly assistant: Assistant;
  readonly places: AnswerPlaces;
  readonly talk: Pick<Talk, 'forget'>;
  readonly clock: Clock;
}

const LONGEST_SHOWN = 1_800;
const LONGEST_QUESTION = 300;
const LONGEST_ANSWER = 1_200;

/** Shows somebody what was said before the last answer where they are. */
export async function showHistory(interaction: ChatInputCommandInteraction, asker: Asker, options: HistoryOptions): Promise<void> {
  const { words } = asker;
  const { conversation, turn } = await whereIs(interaction, asker, options);
  await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  const said = (await options.assistant.getConversation(conversation, { upTo: turn }))?.messages ?? [];
  if (said.length === 0) throw new UserError(words.assistant.nothingSaid);

  const all = said.map((message) => toLines(message, words));
  const shown = lastWithin(all, LONGEST_SHOWN);
  const isWhole = shown.length === all.length && said.every(isShownWhole);
  await interaction.editReply({
    content: [...shown, ...(isWhole ? [] : [`-# ${words.assistant.wholeHistory}`])].join('\n\n'),
    files: isWhole ? [] : [new AttachmentBuilder(Buffer.from(toFile(said, words)), { name: 'conversation.md' })],
    flags: MessageFlags.SuppressEmbeds,
  });
}

/** Has the conversation forgotten in which somebody is; one that another began, they only leave, and in a thread not even that. */
export async function forgetHistory(interaction: ChatInputCommandInteraction, asker: Asker, options: HistoryOptions): Promise<void> {
  const { places, talk, clock } = options;
  const { words } = asker;
  const { conversation, spot } = await whereIs(interaction, asker, options);
  await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  const owner = beginnerOf(conversation);
  if (owner === asker.id || asker.may('operate')) {
    if (spot.isThread) await places.keepThread(spot.channel, clock.nowMs());
    await talk.forget(conversation);
    await interaction.editReply(words.assistant.forgotten);
    return;
  }
  const isShared = spot.isThread && !spot.isPrivate;
  if (!isShared) await places.leavePlace(placeOf(spot));
  const { leftOnly, notYours } = words.assistant;
  await interaction.editReply({ content: (isShared ? notYours : leftOnly)(`<@${owner}>`), allowedMentions: { parse: [] } });
}

async function whereIs(
  { channelId, options }: ChatInputCommandInteraction,
  { id, words }: Asker,
  { places }: HistoryOptions,
): Promise<ConversationPoint & { readonly spot: Spot }> {
  const isPrivate = options.getBoolean('private') ?? false;
  const spot = await spotOf(places, { channel: channelId, person: id, isPrivate });
  const point = await pointOf(places, spot);
  if (!point) throw new UserError(words.assistant.nothingSaid);
  return { ...point, spot };
}

function toLines({ role, text }: AssistantMessage, { assistant }: Words): string {
  if (role === 'user') return `**${assistant.asked}:** ${escaped(text, LONGEST_QUESTION)}`;
  const [start = ''] = splitMessage(answerText(text), LONGEST_ANSWER);
  return `**${assistant.answered}:** ${start}`;
}

function isShownWhole({ role, text }: AssistantMessage): boolean {
  return text.length < (role === 'user' ? LONGEST_QUESTION : LONGEST_ANSWER) / 2;
}

function lastWithin(lines: readonly string[], most: number): readonly string[] {
  let length = 0;
  const first = lines.findLastIndex((line) => (length += line.length + 2) > most);
  return lines.slice(Math.min(first + 1, lines.length - 1)).map((line) => line.slice(0, most));
}

function toFile(said: readonly AssistantMessage[], { assistant }: Words): string {
  const parts = said.map(({ role, text, createdAt }) => {
    const who = role === 'user' ? assistant.asked : assistant.answered;
    return `## ${who}, ${createdAt.toISOString()}\n\n${text}\n`;
  });
  return parts.join('\n');
}
