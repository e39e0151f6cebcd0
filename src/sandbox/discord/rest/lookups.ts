import type { Context } from 'hono';
import type { Channel } from '../guild/channels.ts';
import { APPLICATION_ID, GUILD_ID } from '../guild/identity.ts';
import type { Permission } from '../guild/permissions.ts';
import type { Message } from '../messages/message.ts';
import type { Discord } from '../parts.ts';
import { invalidForm, refusals } from '../refusal.ts';

/** The channel that the path names, where the bot may see it. */
export function channelOf({ guild }: Discord, c: Context): Channel {
  const channel = guild.channels.find(idOf(c, 'channel'));
  if (!channel) throw refusals.unknownChannel();
  if (!guild.may(guild.members.bot, 'ViewChannel', channel)) throw refusals.missingAccess();
  return channel;
}

/** The message that the path names, where the bot may read it. */
export function messageOf(discord: Discord, c: Context): Message {
  const channel = channelOf(discord, c);
  demand(discord, 'ReadMessageHistory', channel);
  const message = discord.messages.standing(channel.id, idOf(c, 'message'));
  if (!message) throw refusals.unknownMessage();
  return message;
}

/** The message that the path names, where it may be changed: nothing in an archived thread may. */
export function openMessageOf(discord: Discord, c: Context): Message {
  const message = messageOf(discord, c);
  if (channelOf(discord, c).thread?.archived) throw refusals.archived();
  return message;
}

/** Refuses a message that the bot may not write; an archived thread opens for it. */
export function demandToWrite(discord: Discord, channel: Channel): void {
  demand(discord, channel.thread ? 'SendMessagesInThreads' : 'SendMessages', channel);
  if (channel.kind === 'voice') demand(discord, 'Connect', channel);
  const { thread } = channel;
  if (!thread?.archived && !thread?.locked) return;
  const { guild } = discord;
  if (thread.locked && !guild.may(guild.members.bot, 'ManageThreads', channel)) throw refusals.threadLocked();
  guild.channels.put({ ...channel, thread: { ...thread, archived: false } });
}

/** Refuses what the bot may not do. */
export function demand({ guild }: Discord, permission: Permission, channel: Channel): void {
  if (!guild.may(guild.members.bot, permission, channel)) throw refusals.missingPermissions();
}

/** Refuses a guild that is not the sandbox's. */
export function checkGuild(c: Context): void {
  if (idOf(c, 'guild') !== GUILD_ID) throw refusals.unknownGuild();
}

/** Refuses an application that is not the bot's. */
export function checkApplication(c: Context): void {
  if (idOf(c, 'application') !== APPLICATION_ID) throw refusals.unknownApplication();
}

/** The id at this place of the path. */
export function idOf(c: Context, parameter: string): string {
  const id = c.req.param(parameter) ?? '';
  if (/^\d{1,20}$/.test(id)) return id;
  throw invalidForm([{ path: [`${parameter}_id`], code: 'NUMBER_TYPE_COERCE', message: `Value "${id}" is not snowflake.` }]);
}
