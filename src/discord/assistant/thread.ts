import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  DiscordAPIError,
  MessageFlags,
  PermissionFlagsBits,
  RESTJSONErrorCodes,
  Routes,
  type APIChannel,
  type Client,
  type MessageActionRowComponentBuilder,
  type MessageComponentInteraction,
} from 'discord.js';
import { z } from 'zod';
import type { Assistant } from '#src/assistant/assistant.ts';
import type { Clock } from '#src/clock.ts';
import { UserError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { AnswerPlaces } from '#src/store/answer-places.ts';
import type { Asker } from '../asker.ts';
import type { Words } from '../language/words.ts';
import { oneLine } from '../text/foreign-text.ts';

/** What the button below an answer is known by. */
const THREAD_BUTTON = 'ask:thread';

const LONGEST_NAME = 100;
const FORBIDDEN: readonly unknown[] = [RESTJSONErrorCodes.MissingPermissions, RESTJSONErrorCodes.MissingAccess];

/** The button that opens a thread below an answer. */
export function threadRow({ assistant }: Words): ActionRowBuilder<MessageActionRowComponentBuilder> {
  const button = new ButtonBuilder().setCustomId(THREAD_BUTTON).setLabel(assistant.goOn).setStyle(ButtonStyle.Secondary);
  return new ActionRowBuilder<MessageActionRowComponentBuilder>().addComponents(button);
}

export interface OpenThreadOptions {
  readonly assistant: Assistant;
  readonly places: AnswerPlaces;
  readonly clock: Clock;
  /** Whether messages are read that do not mention the bot. */
  readonly readsAll: boolean;
}

/** Opens a thread below an answer, in which everybody can go on from it. */
export async function openThread(
  interaction: MessageComponentInteraction,
  { words, publicWords }: Asker,
  { assistant, places, clock, readsAll }: OpenThreadOptions,
): Promise<void> {
  // The bot opens it, and it does so for nobody who could not.
  if (!interaction.memberPermissions?.has(PermissionFlagsBits.CreatePublicThreads)) throw new UserError(words.errors.notAllowed);
  await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  const { message, channelId, client } = interaction;
  const point = await places.findMessage(message.id);
  if (!point) throw new UserError(words.errors.gone);
  const conversation = await assistant.getConversation(point.conversation, { upTo: point.turn });
  const asked = conversation?.messages.findLast(({ role }) => role === 'user')?.text ?? '';
  try {
    const name = oneLine(asked, LONGEST_NAME) || publicWords.assistant.threadOf;
    const route = Routes.threads(channelId, message.id);
    const { id } = (await client.rest.post(route, { body: { name, auto_archive_duration: 1440 } })) as APIChannel; // as Discord documents it
    await places.keepThread(id, clock.nowMs());
    const { threadBegins, threadBeginsWithMentions } = publicWords.assistant;
    const content = `-# ${readsAll ? threadBegins : threadBeginsWithMentions}`;
    await client.rest.post(Routes.channelMessages(id), { body: { content, allowed_mentions: { parse: [] } } });
    await interaction.editReply(words.assistant.threadOpened(`<#${id}>`));
  } catch (error) {
    if (!(error instanceof DiscordAPIError)) throw error;
    if (FORBIDDEN.includes(error.code)) throw new UserError(words.assistant.threadForbidden);
    if (error.code !== RESTJSONErrorCodes.ThreadAlreadyCreatedForMessage) throw error;
    await interaction.editReply(words.assistant.threadIsThere(`<#${message.id}>`));
  }
  await interaction.message.edit({ components: [] }).catch(() => undefined);
}

const Thread = z.object({ id: z.string(), owner_id: z.string().optional() });

/** Goes into a thread that somebody opened below an answer: Discord tells of messages there only who is in it, and who opens one is. Never rejects. */
export async function joinThread(
  data: unknown,
  client: Client<true>,
  { places, clock, log }: { readonly places: AnswerPlaces; readonly clock: Clock; readonly log: Log },
): Promise<void> {
  try {
    const { data: thread } = Thread.safeParse(data);
    if (!thread || thread.owner_id === client.user.id || !(await places.findMessage(thread.id))) return;
    await places.keepThread(thread.id, clock.nowMs());
    await client.rest.put(Routes.threadMembers(thread.id, '@me'));
  } catch (error) {
    log.warn({ error }, 'a thread below an answer could not be joined');
  }
}
