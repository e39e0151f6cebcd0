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
