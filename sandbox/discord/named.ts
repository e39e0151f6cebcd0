import { OrderError, unknownName } from '../control/order-error.ts';
import type { Channel } from './guild/channel.ts';
import type { Member } from './guild/members.ts';
import type { Permission } from './guild/permissions.ts';
import type { Role } from './guild/roles.ts';
import type { Message } from './messages/message.ts';
import type { Discord, InGuild } from './parts.ts';

/** The guild in an order: by its name, by the id of its channel, or the first guild. */
export function inGuild(
  discord: Discord,
  { guild: name, channel = '' }: { readonly guild?: string | undefined; readonly channel?: string | undefined },
): InGuild {
  const { guilds } = discord;
  const guild = name === undefined ? guilds.of(channel) : guilds.findNamed(name);
  if (!guild) throw unknownName({ field: 'guild', noun: 'server', name, known: namesOf(guilds.all) });
  return { ...discord, guild };
}

export function guildOfMessage(discord: Discord, { channelId }: Message): InGuild {
  return { ...discord, guild: discord.guilds.of(channelId) };
}

/** The person who acts in an order. Orders cannot act for the bot. */
export function personNamed(discord: InGuild, name: string, field = 'user'): Member {
  const member = memberNamed(discord, name, field);
  if (member.bot) throw new OrderError(`${field}: ${member.username} is the bot. Name a person: ${peopleIn(discord).join(', ')}.`);
  return member;
}

/** The member whom a person chooses in a menu. It also offers the bot. */
export function memberNamed(discord: InGuild, name: string, field = 'user'): Member {
  const member = discord.guild.members.findNamed(name);
  if (!member) throw unknownName({ field, noun: 'member', name, known: peopleIn(discord) });
  return member;
}

function peopleIn({ guild }: InGuild): readonly string[] {
  return guild.members.all().flatMap(({ bot, username }) => (bot ? [] : username));
}

export function channelNamed({ guild }: InGuild, name: string, field = 'channel'): Channel {
  const channel = guild.channels.findNamed(name);
  if (!channel) throw unknownName({ field, noun: 'channel', name, known: namesOf(guild.channels.all()) });
  return channel;
}

export function roleNamed({ guild }: InGuild, name: string): Role {
  const role = guild.roles.find((one) => one.id === name || one.name.toLowerCase() === name.toLowerCase());
  if (!role) throw unknownName({ field: 'role', noun: 'role', name, known: namesOf(guild.roles) });
  return role;
}

/** The channel in an order, if the person has the permission there. */
export function channelFor(discord: InGuild, name: string, person: Member, permission: Permission): Channel {
  const channel = channelNamed(discord, name);
  const may = discord.guild.may(person, 'ViewChannel', channel) && discord.guild.may(person, permission, channel);
  if (!may)
    throw new OrderError(`user: ${person.username} may not do this in #${channel.name}. It needs the permission ${permission} there.`);
  return channel;
}

/** The message in an order. */
export function messageNamed({ messages }: Discord, id: string): Message {
  const message = messages.find(id);
  if (!message || message.deletedAt !== undefined)
    throw new OrderError(`message: no message has the id ${id}. GET /control/messages lists the messages.`);
  return message;
}

function namesOf(things: readonly { readonly name: string }[]): readonly string[] {
  return things.map(({ name }) => name);
}
