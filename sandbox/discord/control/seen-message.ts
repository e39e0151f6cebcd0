import type { z } from 'zod';
import { Component } from '../messages/component.ts';
import { Embed, resolvePictures } from '../messages/parts.ts';
import { FLAGS, MESSAGE_TYPES, type Message, currentOf, filesBelow, readableContent, hasFlag, shownOf } from '../messages/message.ts';
import type { Member } from '../guild/members.ts';
import { channelFor, inGuild, personNamed } from '../named.ts';
import type { InGuild, Discord } from '../parts.ts';
import { compareIds, madeAtMs } from '../snowflake.ts';
import type { HistoryQuery } from './orders.ts';

const EXCERPT = 160;

/** The last messages of a channel that a member can see, oldest first. */
export function historyOf(discord: Discord, { guild, channel: name, user, limit }: z.output<typeof HistoryQuery>) {
  const scope = inGuild(discord, { guild, channel: name });
  const member = personNamed(scope, user);
  const channel = channelFor(scope, name, member, 'ViewChannel');
  const all = [...discord.messages.all()].filter((message) => message.channelId === channel.id && isSeen(message, member));
  return {
    items: all
      .toSorted((a, b) => compareIds(a.id, b.id))
      .slice(-limit)
      .map((message) => toSeen(scope, message)),
  };
}

/** Whether the member can see a message of a channel. An ephemeral message is for one member. */
export function isSeen(message: Message, member: Pick<Member, 'userId'> | undefined): boolean {
  if (message.deletedAt !== undefined) return false;
  return !hasFlag(message, FLAGS.Ephemeral) || (member !== undefined && message.origin?.userId === member.userId);
}

function toSeen(discord: InGuild, message: Message) {
  const version = currentOf(message);
  const { embeds, components, attachments, flags } = version;
  const addresses = new Map(attachments.map((file) => [file.filename, addressOf(discord, message.channelId, file)]));
  const resolve = (wire: Parameters<typeof resolvePictures>[0]) => resolvePictures(wire, (file) => addresses.get(file));
  const thread = message.threadId === undefined ? undefined : discord.guild.channels.find(message.threadId);
  return {
    id: message.id,
    at: new Date(madeAtMs(message.id)).toISOString(),
    author: authorOf(discord, message),
    content: readableContent(message),
    edited: shownOf(message).length > 1,
    ephemeral: hasFlag(message, FLAGS.Ephemeral),
    loading: hasFlag(message, FLAGS.Loading),
    embeds: flags & FLAGS.SuppressEmbeds ? [] : embeds.map((embed) => toCard(Embed.parse(resolve(embed)))),
    components: components.map((component) => Component.parse(resolve(component))),
    files: filesBelow(version).map((file) => ({ name: file.filename, url: addressOf(discord, message.channelId, file) })),
    reactions: message.reactions.map(({ emojiName, userIds }) => ({ emoji: emojiName, count: userIds.length })),
    ...answered(discord, message),
    ...(thread && { thread: { id: thread.id, name: thread.name } }),
  };
}

function addressOf({ context }: Discord, channelId: string, { id, filename }: { readonly id: string; readonly filename: string }): string {
  return `${context.url()}/discord/cdn/attachments/${channelId}/${id}/${filename}`;
}

function authorOf({ guild }: InGuild, { authorId, sender }: Message) {
  const member = guild.members.find(authorId);
  return { id: authorId, name: sender?.name ?? member?.displayName ?? authorId, bot: sender !== undefined || member?.bot === true };
}

/** The command or the message that a message answers. */
function answered(discord: InGuild, { replyTo, channelId, origin, type }: Message) {
  if (replyTo !== undefined) {
    const replied = discord.messages.existing(channelId, replyTo);
    if (!replied) return { reply: {} };
    return { reply: { author: authorOf(discord, replied).name, text: currentOf(replied).content.slice(0, EXCERPT) } };
  }
  if (origin?.commandName === undefined || type === MESSAGE_TYPES.reply || origin.originalMessageId !== undefined) return {};
  return { command: { name: origin.commandName, by: discord.guild.members.find(origin.userId)?.displayName ?? origin.userId } };
}

function toCard({ author, title, url, description, image, thumbnail, footer, color, fields, timestamp }: Embed) {
  return {
    author: author ? { name: author.name, url: author.url ?? undefined, icon: author.icon_url ?? undefined } : undefined,
    title: title ?? undefined,
    url: url ?? undefined,
    description: description ?? undefined,
    image: image?.url ?? undefined,
    altText: image?.description ?? undefined,
    thumbnail: thumbnail?.url ?? undefined,
    footer: footer?.text,
    color: color ?? undefined,
    timestamp: timestamp ? new Date(timestamp).toISOString() : undefined,
    fields: fields?.map(({ name, value, inline }) => ({ name, value, inline: inline ?? false })),
  };
}
