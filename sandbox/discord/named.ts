import type { Channel } from './guild/channel.ts';
import type { Member } from './guild/members.ts';
import type { Permission } from './guild/permissions.ts';
import type { Message } from './messages/message.ts';
import { OrderError } from './order-error.ts';
import type { Discord, InGuild } from './parts.ts';

/** The guild in an order: by its name, by the id of its channel, or the first guild. */
export function inGuild(
  discord: Discord,
  { guild: name, channel = '' }: { readonly guild?: string | undefined; readonly channel?: string | undefined },
): InGuild {
  const { guilds } = discord;
  const guild = name === undefined ? guilds.of(channel) : guilds.findNamed(name);
  return guild ? { ...discord, guild } : missing(`there is no guild ${name}`, namesOf(guilds.all));
}

/** The guild of a message. */
export function guildOfMessage(discord: Discord, { channelId }: Message): InGuild {
  return { ...discord, guild: discord.guilds.of(channelId) };
}

/** The member in an order. */
function memberNamed({ guild }: InGuild, name: string): Member {
  return (
    guild.members.findNamed(name) ??
    missing(
      `no member is called ${name}`,
      guild.members.all().map(({ username }) => username),
    )
  );
}

/** The person who acts in an order. Orders cannot act for the bot. */
export function personNamed(discord: InGuild, name: string): Member {
  const member = memberNamed(discord, name);
  if (member.bot) throw new OrderError(`${name} is a bot; orders act for people only`);
  return member;
}

export function channelNamed({ guild }: InGuild, name: string): Channel {
  return guild.channels.findNamed(name) ?? missing(`there is no channel ${name}`, namesOf(guild.channels.all()));
}

/** The channel in an order, if the person has the permission there. */
export function channelFor(discord: InGuild, name: string, person: Member, permission: Permission): Channel {
  const channel = channelNamed(discord, name);
  const may = discord.guild.may(person, 'ViewChannel', channel) && discord.guild.may(person, permission, channel);
  if (!may) throw new OrderError(`${person.username} may not do this in #${channel.name}`);
  return channel;
}

/** The message in an order. */
export function messageNamed({ messages }: Discord, id: string): Message {
  const message = messages.find(id);
  if (!message || message.deletedAt !== undefined) throw new OrderError(`there is no message ${id}`);
  return message;
}

function namesOf(things: readonly { readonly name: string }[]): readonly string[] {
  return things.map(({ name }) => name);
}

function missing(what: string, names: readonly string[]): never {
  throw new OrderError(`${what}; there are ${names.join(', ')}`);
}
