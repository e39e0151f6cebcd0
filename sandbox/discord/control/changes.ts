import type { z } from 'zod';
import { OrderError } from '../../control/order-error.ts';
import { toChannel, toGuild } from '../guild/wire.ts';
import { remove } from '../messages/post.ts';
import { channelNamed, inGuild, messageNamed } from '../named.ts';
import type { Discord, InGuild } from '../parts.ts';
import { setArchived } from '../rest/threads.ts';
import type { GuildOrder, PermissionOrder, RemovalOrder, ThreadStateOrder } from './orders.ts';

/** A guild with its channels, roles, members and commands, and the list of all guilds. */
export function describeGuild({ guild, guilds, commands, gateway }: InGuild) {
  return {
    guild: { id: guild.id, name: guild.name },
    channels: guild.channels.all().map(({ id, name }) => ({ id, name })),
    roles: guild.roles.map(({ id, name }) => ({ id, name })),
    members: guild.members.all().map(({ userId, username, displayName, bot }) => ({ id: userId, username, displayName, bot })),
    commands: [...commands.in(guild.id), ...commands.in(undefined)].map(({ id, form }) => ({
      id,
      type: form.type,
      name: form.name,
      options: form.options,
    })),
    connections: gateway.connections.length,
    shards: gateway.connectedShards,
    guilds: guilds.all.map(({ id, name, hasBot }) => ({ id, name, hasBot })),
  };
}

export function changeGuild(discord: Discord, order: z.output<typeof GuildOrder>) {
  const { guild, gateway, commands } = inGuild(discord, order);
  const { preferredLocale = guild.preferredLocale, hasBot = guild.hasBot } = order;
  if (preferredLocale !== guild.preferredLocale) {
    guild.preferredLocale = preferredLocale;
    gateway.dispatch({ name: 'GUILD_UPDATE', guildId: guild.id, intent: 'Guilds', data: toGuild(guild) });
  }
  if (order.hasBot === false) {
    for (const { id } of commands.in(guild.id)) commands.drop(id);
    gateway.dispatch({ name: 'GUILD_DELETE', guildId: guild.id, intent: 'Guilds', data: { id: guild.id } });
    guild.removeBot();
  } else if (hasBot && !guild.hasBot) {
    guild.addBot();
    gateway.announceGuild(guild.id);
  }
  return { guild: guild.name, preferredLocale, hasBot };
}

export function changeThread(discord: Discord, { thread: name, archived, locked, guild }: z.output<typeof ThreadStateOrder>) {
  const channel = channelNamed(inGuild(discord, { guild, channel: name }), name, 'thread');
  if (!channel.thread) throw new OrderError(`thread: #${channel.name} is a channel, not a thread.`);
  setArchived(discord, { ...channel, thread: { ...channel.thread, locked } }, archived);
  return { thread: channel.name, archived, locked };
}

export function deleteContent(discord: Discord, order: RemovalOrder) {
  if ('message' in order) {
    remove(discord, messageNamed(discord, order.message));
    return order;
  }
  const { guild, gateway, ...rest } = inGuild(discord, order);
  const channel = channelNamed({ ...rest, guild, gateway }, order.channel);
  guild.channels.remove(channel);
  gateway.dispatch({ name: 'CHANNEL_DELETE', guildId: guild.id, intent: 'Guilds', data: toChannel(guild, channel, undefined) });
  return { channel: channel.name };
}

export function setPermissions(discord: Discord, order: z.output<typeof PermissionOrder>) {
  const { allow, deny } = order;
  const scope = inGuild(discord, order);
  const { guild, gateway, messages } = scope;
  const channel = channelNamed(scope, order.channel);
  const others = channel.overwrites.filter(({ id }) => id !== guild.botRoleId);
  const changed = { ...channel, overwrites: [...others, { id: guild.botRoleId, of: 'role' as const, allow, deny }] };
  guild.channels.put(changed);
  const data = toChannel(guild, changed, messages.lastId(changed.id));
  gateway.dispatch({ name: 'CHANNEL_UPDATE', guildId: guild.id, intent: 'Guilds', data });
  return { channel: changed.name, allow, deny };
}
