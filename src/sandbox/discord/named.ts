import type { Channel } from './guild/channels.ts';
import type { Member } from './guild/members.ts';
import type { Permission } from './guild/permissions.ts';
import type { Role } from './guild/roles.ts';
import type { Message } from './messages/message.ts';
import { OrderError } from './order-error.ts';
import type { Discord } from './parts.ts';

/** The member that an order names. */
export function memberNamed({ guild }: Discord, name: string): Member {
  return (
    guild.members.findNamed(name) ??
    missing(
      `nobody here is ${name}`,
      guild.members.all().map(({ username }) => username),
    )
  );
}

/** The member that an order names to do something, which the bot does by itself. */
export function personNamed(discord: Discord, name: string): Member {
  const member = memberNamed(discord, name);
  if (member.bot) throw new OrderError(`${name} is no person`);
  return member;
}

export function roleNamed({ guild }: Discord, name: string): Role {
  const role = guild.roles.find((each) => each.name === name || each.id === name);
  return (
    role ??
    missing(
      `there is no role ${name}`,
      guild.roles.map((each) => each.name),
    )
  );
}

export function channelNamed({ guild }: Discord, name: string): Channel {
  const channels = guild.channels.all();
  return (
    guild.channels.findNamed(name) ??
    missing(
      `there is no channel ${name}`,
      channels.map((each) => each.name),
    )
  );
}

/** The channel that an order names, where the person may do this. */
export function channelFor(discord: Discord, name: string, person: Member, permission: Permission): Channel {
  const channel = channelNamed(discord, name);
  const may = discord.guild.may(person, 'ViewChannel', channel) && discord.guild.may(person, permission, channel);
  if (!may) throw new OrderError(`${person.username} may not do this in #${channel.name}`);
  return channel;
}

/** The message that an order names. */
export function messageNamed({ messages }: Discord, id: string): Message {
  const message = messages.find(id);
  if (!message || message.deletedAt !== undefined) throw new OrderError(`there is no message ${id}`);
  return message;
}

function missing(what: string, names: readonly string[]): never {
  throw new OrderError(`${what}; there are ${names.join(', ')}`);
}
