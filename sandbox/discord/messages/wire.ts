import type { JsonObject } from '#src/clients/operation/json.ts';
import { APPLICATION_ID } from '../identity.ts';
import { toChannel, toPartialMember, toUser } from '../guild/wire.ts';
import type { Discord } from '../parts.ts';
import { madeAtMs, toTimestamp } from '../snowflake.ts';
import { resolveFiles, resolvePictures } from './parts.ts';
import { type Attachment, FLAGS, type Message, type Origin, type Reaction, currentOf, listedFiles, shownOf } from './message.ts';

const COMMAND_INTERACTION = 2;

/** A message as REST sends it. */
export function toMessage(discord: Discord, message: Message): JsonObject {
  const version = currentOf(message);
  const { content, embeds, components, attachments, flags, mentions } = version;
  const files = attachments.map((attachment) => toAttachment(discord, message.channelId, attachment));
  const address = (filename: string) => files.find((file) => file.filename === filename)?.url;
  return {
    id: message.id,
    type: message.type,
    channel_id: message.channelId,
    ...toSender(discord, message),
    content,
    timestamp: toTimestamp(madeAtMs(message.id)),
    edited_timestamp: editedAt(message) ?? null,
    tts: false,
    mention_everyone: mentions.everyone,
    mentions: mentions.userIds.map((id) => toAuthor(discord, id)),
    mention_roles: mentions.roleIds,
    attachments: listedFiles(version).map((attachment) => toAttachment(discord, message.channelId, attachment)),
    embeds: flags & FLAGS.SuppressEmbeds ? [] : embeds.map((embed) => resolvePictures(embed, address)),
    components: components.map((component) => resolveFiles(component, files)),
    pinned: false,
    flags,
    ...(message.reactions.length > 0 && { reactions: message.reactions.map(toReaction) }),
    ...(message.replyTo !== undefined && toReference(discord, message.channelId, message.replyTo)),
    ...(message.origin && toAnswer(discord, message.channelId, message.origin)),
    ...(message.threadId !== undefined && toThread(discord, message.threadId)),
  };
}

/** A message as members of its channel receive it. */
export function toMessageEvent(discord: Discord, message: Message): JsonObject {
  const { id: guildId, members } = discord.guilds.of(message.channelId);
  const author = members.find(message.authorId);
  return {
    ...toMessage(discord, message),
    guild_id: guildId,
    member: author && toPartialMember(author),
    mentions: currentOf(message).mentions.userIds.map((id) => {
      const member = members.find(id);
      return { ...toAuthor(discord, id), member: member && toPartialMember(member) };
    }),
  };
}

export function toEmoji({ emojiId, emojiName }: Reaction): { readonly id: string | null; readonly name: string } {
  return { id: emojiId ?? null, name: emojiName };
}

function toSender(discord: Discord, { authorId, sender }: Message): JsonObject {
  if (!sender) return { author: toAuthor(discord, authorId) };
  const author = { id: authorId, username: sender.name, discriminator: '0000', global_name: null, avatar: null, bot: true };
  return { webhook_id: authorId, application_id: APPLICATION_ID, author };
}

function toAuthor({ guilds }: Discord, userId: string): JsonObject {
  const member = guilds.findUser(userId);
  if (member) return toUser(member);
  return { id: userId, username: 'Deleted User', discriminator: '0', global_name: null, avatar: null, public_flags: 0 };
}

function editedAt(message: Message): string | undefined {
  const shown = shownOf(message);
  const latest = shown.at(-1);
  return latest && shown.length > 1 ? toTimestamp(Date.parse(latest.at)) : undefined;
}

function toAttachment({ context }: Discord, channelId: string, { id, filename, sizeBytes, contentType, description }: Attachment) {
  const url = `${context.url()}/discord/cdn/attachments/${channelId}/${id}/${filename}`;
  return { id, filename, size: sizeBytes, url, proxy_url: url, content_type: contentType, description };
}

function toReaction(reaction: Reaction): JsonObject {
  return {
    emoji: toEmoji(reaction),
    count: reaction.userIds.length,
    count_details: { burst: 0, normal: reaction.userIds.length },
    burst_colors: [],
    me: reaction.userIds.includes(APPLICATION_ID),
    me_burst: false,
    burst_me: false,
    burst_count: 0,
  };
}

function toReference(discord: Discord, channelId: string, messageId: string): JsonObject {
  const referenced = discord.messages.existing(channelId, messageId);
  return {
    message_reference: { type: 0, channel_id: channelId, message_id: messageId, guild_id: discord.guilds.of(channelId).id },
    // A reply contains its parent only, not the parent of the parent.
    referenced_message: referenced ? toMessage(discord, { ...referenced, replyTo: undefined }) : null,
  };
}

function toAnswer(discord: Discord, channelId: string, origin: Origin): JsonObject {
  const user = toAuthor(discord, origin.userId);
  return {
    webhook_id: APPLICATION_ID,
    application_id: APPLICATION_ID,
    interaction_metadata: {
      id: origin.interactionId,
      type: origin.type,
      user,
      authorizing_integration_owners: { '0': discord.guilds.of(channelId).id },
      original_response_message_id: origin.originalMessageId,
      interacted_message_id: origin.interactedMessageId,
      name: origin.commandName,
      ...(origin.type === COMMAND_INTERACTION && { command_type: 1 }),
    },
    ...(origin.type === COMMAND_INTERACTION &&
      origin.originalMessageId === undefined && {
        interaction: { id: origin.interactionId, type: origin.type, name: origin.commandName, user },
      }),
  };
}

function toThread({ guilds, messages }: Discord, threadId: string): JsonObject {
  const thread = guilds.findChannel(threadId);
  return thread ? { thread: toChannel(guilds.of(threadId), thread, messages.lastId(threadId)) } : {};
}
