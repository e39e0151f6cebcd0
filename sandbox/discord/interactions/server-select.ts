import type { JsonObject } from '#src/clients/operation/json.ts';
import { OrderError } from '../../control/order-error.ts';
import { toChannel, toPartialMember, toRole, toUser } from '../guild/wire.ts';
import { COMPONENT_TYPES, type Component } from '../messages/component.ts';
import { channelNamed, memberNamed } from '../named.ts';
import type { InGuild } from '../parts.ts';

const { userSelect, roleSelect, mentionableSelect, channelSelect } = COMPONENT_TYPES;
const SERVER_SELECTS: readonly number[] = [userSelect, roleSelect, mentionableSelect, channelSelect];

/** Whether a select offers members, roles or channels of the server. */
export function isServerSelect({ type }: Component): boolean {
  return SERVER_SELECTS.includes(type);
}

/** The interaction data of chosen members, roles or channels, by name or id. */
export function toServerValues(
  discord: InGuild,
  { type, channelTypes }: Pick<Component, 'type' | 'channelTypes'>,
  values: readonly string[],
): { readonly values: readonly string[]; readonly resolved: JsonObject } {
  const { guild, messages } = discord;
  const roles = values.flatMap((value) => {
    const isOffered = type === roleSelect || type === mentionableSelect;
    return isOffered ? (guild.roles.find(({ id, name }) => id === value || name === value.replace(/^@/, '')) ?? []) : [];
  });
  if (type === roleSelect && roles.length < values.length) {
    throw new OrderError(`values: unknown role among ${values.join(', ')}. Allowed: ${guild.roles.map(({ name }) => name).join(', ')}.`);
  }
  const isRole = (value: string): boolean => roles.some(({ id, name }) => id === value || name === value.replace(/^@/, ''));
  const members =
    type === userSelect || type === mentionableSelect
      ? values.filter((value) => !isRole(value)).map((value) => discord.guilds.findUser(value) ?? memberNamed(discord, value, 'values'))
      : [];
  // Discord also takes the id of a user who is not in the server.
  const present = members.filter(({ userId }) => guild.members.find(userId));
  const chosen = type === channelSelect ? values.map((value) => channelNamed(discord, value, 'values')) : [];
  const channels = chosen.map((channel) => ({ ...channel, shown: toChannel(guild, channel, messages.lastId(channel.id)) }));
  const foreign = channels.find(({ shown }) => channelTypes.length > 0 && !channelTypes.includes(Number(shown['type'])));
  if (foreign) throw new OrderError(`values: #${foreign.name} is not of a type that the select offers.`);
  const byId = (all: readonly (readonly [id: string, shown: JsonObject])[]) => (all.length > 0 ? Object.fromEntries(all) : undefined);
  return {
    values: [...roles.map(({ id }) => id), ...members.map(({ userId }) => userId), ...channels.map(({ id }) => id)],
    resolved: {
      roles: byId(roles.map((role) => [role.id, toRole(role)])),
      users: byId(members.map((member) => [member.userId, toUser(member)])),
      members: byId(present.map((member) => [member.userId, { ...toPartialMember(member), permissions: '0' }])),
      channels: byId(channels.map(({ id, shown }) => [id, { ...shown, permissions: '0' }])),
    },
  };
}
