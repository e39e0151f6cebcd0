import {
  DiscordAPIError,
  MessageFlags,
  PermissionFlagsBits,
  RESTJSONErrorCodes,
  Routes,
  ComponentType,
  type APIChannel,
  type Client,
  type MessageComponentInteraction,
} from 'discord.js';
import { z } from 'zod';
import type { Assistant } from '#src/clients/assistant/assistant.ts';
import type { ConversationPoints } from '#src/clients/assistant/conversation-state.ts';
import type { Clock } from '#src/clock.ts';
import { UserError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { Caller } from '#src/discord/caller.ts';
import { button, type Row } from '#src/discord/components.ts';
import { logFailedWrite } from '#src/discord/explain-error.ts';
import type { Texts } from '#src/discord/language/texts.ts';
import { oneLine } from '#src/discord/text/untrusted-text.ts';

const MAX_NAME_LENGTH = 100;
const FORBIDDEN: readonly unknown[] = [RESTJSONErrorCodes.MissingPermissions, RESTJSONErrorCodes.MissingAccess];

/** The button that opens a thread below an answer. */
export function threadRow({ assistant }: Texts): Row {
  return { type: ComponentType.ActionRow, components: [button('ask:thread', assistant.goOn)] };
}

export interface OpenThreadOptions {
  readonly assistant: Assistant;
  readonly points: ConversationPoints;
  readonly clock: Clock;
  /** Whether the bot reads messages without a mention. */
  readonly readsAll: boolean;
}

/** Opens a thread below an answer. All users of the thread continue from the answer. */
export async function openThread(
  interaction: MessageComponentInteraction,
  { texts, publicTexts }: Caller,
  { assistant, points, clock, readsAll }: OpenThreadOptions,
): Promise<void> {
  // The bot opens the thread, but only for users who may open threads themselves.
  if (!interaction.memberPermissions?.has(PermissionFlagsBits.CreatePublicThreads))
    throw new UserError(texts.assistant.threadNeedsPermission);
  await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  const { message, channelId, client } = interaction;
  const point = await points.findMessage(message.id);
  if (!point) throw new UserError(texts.errors.gone);
  const conversation = await assistant.getConversation(point.conversation, { upTo: point.messageId });
  const question = conversation?.messages.findLast(({ role }) => role === 'user')?.text ?? '';
  try {
    const name = oneLine(question, MAX_NAME_LENGTH) || publicTexts.assistant.threadOf;
    const route = Routes.threads(channelId, message.id);
    const { id } = (await client.rest.post(route, { body: { name, auto_archive_duration: 1440 } })) as APIChannel; // as Discord documents it
    await points.keepThread(id, clock.nowMs());
    const { threadBegins, threadBeginsWithMentions } = publicTexts.assistant;
    const content = `-# ${readsAll ? threadBegins : threadBeginsWithMentions}`;
    await client.rest.post(Routes.channelMessages(id), { body: { content, allowed_mentions: { parse: [] } } });
    await interaction.editReply(texts.assistant.threadOpened(`<#${id}>`));
  } catch (error) {
    if (!(error instanceof DiscordAPIError)) throw error;
    if (FORBIDDEN.includes(error.code)) throw new UserError(texts.assistant.threadForbidden);
    if (error.code !== RESTJSONErrorCodes.ThreadAlreadyCreatedForMessage) throw error;
    await interaction.editReply(texts.assistant.threadIsThere(`<#${message.id}>`));
  }
  await interaction.message.edit({ components: [] }).catch(() => undefined);
}

const Thread = z.object({ id: z.string(), owner_id: z.string().optional() });

/** Joins a thread that a user opened below an answer. Discord sends the messages of a thread only to its members. Never rejects. */
export async function joinThread(
  data: unknown,
  client: Client<true>,
  { points, clock, log }: { readonly points: ConversationPoints; readonly clock: Clock; readonly log: Log },
): Promise<void> {
  try {
    const { data: thread } = Thread.safeParse(data);
    if (!thread || thread.owner_id === client.user.id || !(await points.findMessage(thread.id))) return;
    await points.keepThread(thread.id, clock.nowMs());
    await client.rest.put(Routes.threadMembers(thread.id, '@me'));
  } catch (error) {
    logFailedWrite(log, error, 'a thread below an answer could not be joined');
  }
}
