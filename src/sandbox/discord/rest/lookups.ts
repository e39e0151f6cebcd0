import type { Context } from 'hono';
import { archiving } from '../guild/archive.ts';
import type { Channel } from '../guild/channel.ts';
import type { Guild } from '../guild/guild.ts';
import { APPLICATION_ID } from '../guild/identity.ts';
import { letIn } from '../guild/let-in.ts';
import type { Permission } from '../guild/permissions.ts';
import type { Message } from '../messages/message.ts';
import type { Discord } from '../parts.ts';
import { invalidForm, refusals } from '../refusal.ts';

/** The channel that the path names, where the bot may see it. */
export function channelOf({ guilds }: Discord, c: Context): Channel {
  const id = idOf(c, 'channel');
  const channel = guilds.findChannel(id);
  if (!channel) throw refusals.unknownChannel();
  if (!guilds.of(id).lets('ViewChannel', channel)) throw refusals.missingAccess();
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
  const guild = discord.guilds.of(channel.id);
  if (thread.locked && !guild.lets('ManageThreads', channel)) throw refusals.threadLocked();
  guild.channels.put(archiving(guild.channels, channel, false, discord.context.clock.nowMs()));
}

/** Refuses what the bot may not do. */
export function demand({ guilds }: Discord, permission: Permission, channel: Channel): void {
  if (!guilds.of(channel.id).lets(permission, channel)) throw refusals.missingPermissions();
}

/** The guild that the path names, where the bot is in it; to be asked for brings it into one that it is invited to. */
export function guildOf(discord: Discord, c: Context): Guild {
  const guild = discord.guilds.find(idOf(c, 'guild'));
  if (!guild) throw refusals.unknownGuild();
  if (guild.invitesBot) letIn(discord, guild);
  if (!guild.hasBot) throw refusals.missingAccess();
  return guild;
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
