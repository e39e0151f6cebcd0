import { toMember } from '../guild/wire.ts';
import type { Discord } from '../parts.ts';
import type { Message, Reaction } from './message.ts';
import { toEmoji } from './wire.ts';

/** A Unicode emoji, or a custom emoji of a guild. */
export type Emoji = Pick<Reaction, 'emojiId' | 'emojiName'>;

/** Reads an emoji from a path: a Unicode emoji, or `name:id`. */
export function toEmojiName(text: string): Emoji | undefined {
  const custom = /^(\w{2,32}):(\d{1,20})$/.exec(text);
  if (custom?.[1] && custom[2]) return { emojiName: custom[1], emojiId: custom[2] };
  return /^\p{RGI_Emoji}$/v.test(text) || /^\p{Extended_Pictographic}\uFE0F?$/u.test(text) ? { emojiName: text } : undefined;
}

export function findReaction({ reactions }: Message, emoji: Emoji): Reaction | undefined {
  return reactions.find(({ emojiId, emojiName }) => emojiId === emoji.emojiId && emojiName === emoji.emojiName);
}

/** Adds a reaction and sends the event. A repeat changes nothing. */
export function react(discord: Discord, message: Message, emoji: Emoji, userId: string): void {
  const before = findReaction(message, emoji);
  if (before?.userIds.includes(userId)) return;

  const reaction = { ...emoji, userIds: [...(before?.userIds ?? []), userId] };
  const reactions = before ? message.reactions.map((each) => (each === before ? reaction : each)) : [...message.reactions, reaction];
  discord.messages.put({ ...message, reactions });
  const { id: guildId, members } = discord.guilds.of(message.channelId);
  const member = members.find(userId);
  discord.gateway.dispatch({
    name: 'MESSAGE_REACTION_ADD',
    guildId,
    intent: 'GuildMessageReactions',
    data: {
      channel_id: message.channelId,
      message_id: message.id,
      guild_id: guildId,
      user_id: userId,
      member: member && toMember(member),
      message_author_id: message.authorId,
      emoji: toEmoji(reaction),
      type: 0,
      burst: false,
    },
  });
}
