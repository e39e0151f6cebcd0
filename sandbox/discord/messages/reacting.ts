import { toMember } from '../guild/wire.ts';
import type { Discord } from '../parts.ts';
import type { Message, Reaction } from './message.ts';
import { toEmoji } from './wire.ts';

/** An emoji: one of Unicode's, or one of a guild's own. */
export type Emoji = Pick<Reaction, 'emojiId' | 'emojiName'>;

/** The emoji that a path names: itself, or `name:id`; `undefined` where it is none. */
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
  const member = discord.guilds.of(message.channelId).members.find(userId);
  dispatch(discord, 'MESSAGE_REACTION_ADD', message, {
    user_id: userId,
    member: member && toMember(member),
    message_author_id: message.authorId,
    emoji: toEmoji(reaction),
    type: 0,
    burst: false,
  });
}

/** Removes a reaction and sends the event. */
export function unreact(discord: Discord, message: Message, emoji: Emoji, userId: string): void {
  const before = findReaction(message, emoji);
  if (!before?.userIds.includes(userId)) return;

  const left = { ...before, userIds: before.userIds.filter((id) => id !== userId) };
  const reactions = message.reactions.map((each) => (each === before ? left : each)).filter(({ userIds }) => userIds.length > 0);
  discord.messages.put({ ...message, reactions });
  dispatch(discord, 'MESSAGE_REACTION_REMOVE', message, { user_id: userId, emoji: toEmoji(before), type: 0, burst: false });
}

/** Removes all reactions, or all with one emoji, and sends the event. */
export function clearReactions(discord: Discord, message: Message, emoji?: Emoji): void {
  const cleared = emoji && findReaction(message, emoji);
  if (emoji && !cleared) return;

  discord.messages.put({ ...message, reactions: cleared ? message.reactions.filter((each) => each !== cleared) : [] });
  if (cleared) dispatch(discord, 'MESSAGE_REACTION_REMOVE_EMOJI', message, { emoji: toEmoji(cleared) });
  else dispatch(discord, 'MESSAGE_REACTION_REMOVE_ALL', message, {});
}

function dispatch({ gateway, guilds }: Discord, name: string, { id, channelId }: Message, data: object): void {
  const { id: guildId } = guilds.of(channelId);
  const about = { channel_id: channelId, message_id: id, guild_id: guildId };
  gateway.dispatch({ name, guildId, intent: 'GuildMessageReactions', data: { ...about, ...data } });
}
