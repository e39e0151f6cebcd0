import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Channel } from '../guild/channel.ts';
import { APPLICATION_ID } from '../identity.ts';
import type { Discord } from '../parts.ts';
import { FLAGS, type Message, currentOf, hasFlag } from './message.ts';
import { toMessage, toMessageEvent } from './wire.ts';

export function dispatchCreated(discord: Discord, message: Message): void {
  dispatch(discord, 'MESSAGE_CREATE', message);
}

export function dispatchUpdated(discord: Discord, message: Message): void {
  dispatch(discord, 'MESSAGE_UPDATE', message);
}

export function dispatchDeleted({ guilds, gateway }: Discord, { id, channelId }: Message): void {
  const guild = guilds.of(channelId);
  const channel = guild.channels.find(channelId);
  if (!channel || !guild.botMay('ViewChannel', channel)) return;
  const isDirect = channel.recipientId !== undefined;
  const data = { id, channel_id: channelId, ...(!isDirect && { guild_id: guild.id }) };
  gateway.dispatch({ name: 'MESSAGE_DELETE', guildId: guild.id, intent: isDirect ? 'DirectMessages' : 'GuildMessages', data });
}

/** Sends an event to the bot if it can see the channel. Ephemeral messages are sent like direct messages. */
function dispatch(discord: Discord, name: string, message: Message): void {
  const { guilds, gateway } = discord;
  const guild = guilds.of(message.channelId);
  const channel = guild.channels.find(message.channelId);
  if (!channel || !guild.botMay('ViewChannel', channel)) return;

  if (channel.thread && !hasJoined(channel.thread) && !isForBot(message)) return;

  const ephemeral = hasFlag(message, FLAGS.Ephemeral) || channel.recipientId !== undefined;
  const data = { ...(ephemeral ? toMessage : toMessageEvent)(discord, message), nonce: message.nonce };
  gateway.dispatch({
    name,
    guildId: guild.id,
    intent: ephemeral ? 'DirectMessages' : 'GuildMessages',
    data,
    withoutContent: isForBot(message) ? undefined : { ...data, ...WITHOUT_CONTENT },
  });
}

/** A bot receives the messages of threads that it opened or joined. */
function hasJoined({ ownerId, joined = false }: NonNullable<Channel['thread']>): boolean {
  return joined || ownerId === APPLICATION_ID;
}

/** A message as REST shows it to the bot. Without the intent, Discord withholds what other people wrote. */
export function toReadable(discord: Discord, message: Message): JsonObject {
  const isShown = discord.gateway.allows('MessageContent') || isForBot(message) || message.sender !== undefined;
  return { ...toMessage(discord, message), ...(!isShown && WITHOUT_CONTENT) };
}

const WITHOUT_CONTENT: JsonObject = { content: '', embeds: [], attachments: [], components: [] };

/** A bot always receives the content of its messages and of messages that mention it. */
function isForBot(message: Message): boolean {
  return message.authorId === APPLICATION_ID || currentOf(message).mentions.userIds.includes(APPLICATION_ID);
}
