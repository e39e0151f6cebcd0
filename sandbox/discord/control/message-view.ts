import { FLAGS, type Message, type Version, currentOf, hasFlag, shownOf } from '../messages/message.ts';
import type { Discord } from '../parts.ts';
import { madeAtMs } from '../snowflake.ts';

/** A message in the control API, with names instead of ids, and with its history. */
export function toMessageView(discord: Discord, message: Message) {
  const { guilds, messages } = discord;
  const guild = guilds.of(message.channelId);
  const now = currentOf(message);
  const shown = shownOf(message);
  const first = shown[0];
  const replied = message.replyTo === undefined ? undefined : messages.find(message.replyTo);
  return {
    id: message.id,
    guild: guild.name,
    channel: { id: message.channelId, name: guild.channels.find(message.channelId)?.name },
    author: message.sender?.name ?? nameOf(discord, message.authorId),
    at: new Date(madeAtMs(message.id)).toISOString(),
    ...toVersionView(now),
    editedAt: shown.length > 1 ? now.at : undefined,
    deletedAt: message.deletedAt,
    ephemeral: hasFlag(message, FLAGS.Ephemeral),
    loading: hasFlag(message, FLAGS.Loading),
    nonce: message.nonce,
    /** Edits do not ping, so only the first version counts. */
    pinged: {
      everyone: first?.mentions.everyone ?? false,
      roles: (first?.mentions.roleIds ?? []).map((id) => guild.roles.find((role) => role.id === id)?.name ?? id),
      users: (first?.mentions.userIds ?? []).map((id) => nameOf(discord, id)),
    },
    reactions: message.reactions.map(({ emojiName, userIds }) => ({ emoji: emojiName, users: userIds.map((id) => nameOf(discord, id)) })),
    replyTo: replied?.id,
    interaction: message.origin?.interactionId,
    thread: message.threadId,
    published: hasFlag(message, FLAGS.Crossposted),
    /** The earlier versions, oldest first. */
    history: shown.slice(0, -1).map(toVersionView),
  };
}

export type MessageView = ReturnType<typeof toMessageView>;

function toVersionView({ at, content, embeds, components, attachments }: Version) {
  return {
    writtenAt: at,
    content,
    embeds,
    components,
    files: attachments.map(({ filename, sizeBytes, description }) => ({ filename, sizeBytes, description })),
  };
}

function nameOf({ guilds }: Discord, userId: string): string {
  return guilds.findUser(userId)?.username ?? userId;
}
