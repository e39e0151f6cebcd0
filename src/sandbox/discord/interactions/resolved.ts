import type { JsonObject } from '#src/operation/json.ts';
import { toChannel, toPartialMember, toRole, toUser } from '../guild/wire.ts';
import { channelNamed, memberNamed, roleNamed } from '../named.ts';
import type { Discord } from '../parts.ts';

/** Somebody or something that a person named in an interaction. */
interface Named {
  readonly id: string;
  readonly users?: JsonObject;
  readonly members?: JsonObject;
  readonly roles?: JsonObject;
  readonly channels?: JsonObject;
}

export function nameUser(discord: Discord, name: string): Named {
  const member = memberNamed(discord, name);
  const id = member.userId;
  return { id, users: { [id]: toUser(member) }, members: { [id]: toPartialMember(member) } };
}

export function nameRole(discord: Discord, name: string): Named {
  const role = roleNamed(discord, name);
  return { id: role.id, roles: { [role.id]: toRole(role) } };
}

export function nameChannel(discord: Discord, name: string): Named {
  const channel = channelNamed(discord, name);
  const { id } = channel;
  return { id, channels: { [id]: { ...toChannel(channel, discord.messages.lastId(id)), permissions: '0' } } };
}

export function nameMentionable(discord: Discord, name: string): Named {
  return discord.guild.members.findNamed(name) ? nameUser(discord, name) : nameRole(discord, name);
}

/** What an interaction says of all that was named in it. */
export function toResolved(named: readonly Named[]): JsonObject | undefined {
  const merge = (kind: 'users' | 'members' | 'roles' | 'channels') => {
    const entries = named.flatMap((each) => Object.entries(each[kind] ?? {}));
    return entries.length > 0 ? { [kind]: Object.fromEntries(entries) } : {};
  };
  return named.length > 0 ? { ...merge('users'), ...merge('members'), ...merge('roles'), ...merge('channels') } : undefined;
}
