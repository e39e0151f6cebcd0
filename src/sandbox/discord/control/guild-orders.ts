import type { z } from 'zod';
import { toChannel, toGuild } from '../guild/wire.ts';
import { remove } from '../messages/posting.ts';
import { letIn } from '../guild/let-in.ts';
import { channelNamed, inGuild, messageNamed } from '../named.ts';
import { OrderError } from '../order-error.ts';
import type { Discord, InGuild } from '../parts.ts';
import { setArchived } from '../rest/thread-changes.ts';
import type { GuildOrder, PermissionOrder, RemovalOrder, ThreadStateOrder } from './order-form.ts';

/** What a guild is made of: itself, its people and its channels, and which others there are. */
export function describe({ guild, guilds, commands, gateway }: InGuild) {
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
    guilds: guilds.all.map(({ id, name, hasBot }) => ({ id, name, hasBot })),
  };
}

/** Does what the owner of a guild decides. */
export function settle(discord: Discord, order: z.output<typeof GuildOrder>) {
  const { guild, gateway, commands } = inGuild(discord, order);
  const { preferredLocale = guild.preferredLocale, hasBot = guild.hasBot } = order;
  if (preferredLocale !== guild.preferredLocale) {
    guild.preferredLocale = preferredLocale;
    gateway.tell({ name: 'GUILD_UPDATE', guildId: guild.id, intent: 'Guilds', data: toGuild(guild) });
  }
  if (order.hasBot === false) {
    for (const { id } of commands.in(guild.id)) commands.drop(id);
    gateway.tell({ name: 'GUILD_DELETE', guildId: guild.id, intent: 'Guilds', data: { id: guild.id } });
    guild.throwBotOut();
  } else if (hasBot && !guild.hasBot) {
    letIn(discord, guild);
  }
  return { guild: guild.name, preferredLocale, hasBot };
}

/** Archives a thread, locks it, or opens it. */
export function moderate(discord: Discord, { thread: name, archived, locked, guild }: z.output<typeof ThreadStateOrder>) {
  const channel = channelNamed(inGuild(discord, { guild, channel: name }), name);
  if (!channel.thread) throw new OrderError(`#${channel.name} is no thread`);
  setArchived(discord, { ...channel, thread: { ...channel.thread, locked } }, archived);
  return { thread: channel.name, archived, locked };
}

/** Deletes a message, or a whole channel. */
export function takeAway(discord: Discord, order: z.output<typeof RemovalOrder>) {
  if ('message' in order) {
    remove(discord, messageNamed(discord, order.message));
    return order;
  }
  const { guild, gateway, ...rest } = inGuild(discord, order);
  const channel = channelNamed({ ...rest, guild, gateway }, order.channel);
  guild.channels.remove(channel);
  gateway.tell({ name: 'CHANNEL_DELETE', guildId: guild.id, intent: 'Guilds', data: toChannel(guild, channel, undefined) });
  return { channel: channel.name };
}

/** Says what the bot may, and may not, do in one channel. */
export function permit(discord: Discord, order: z.output<typeof PermissionOrder>) {
  const { allow, deny } = order;
  const there = inGuild(discord, order);
  const { guild, gateway, messages } = there;
  const channel = channelNamed(there, order.channel);
  const others = channel.overwrites.filter(({ id }) => id !== guild.botRoleId);
  const changed = { ...channel, overwrites: [...others, { id: guild.botRoleId, of: 'role' as const, allow, deny }] };
  guild.channels.put(changed);
  const data = toChannel(guild, changed, messages.lastId(changed.id));
  gateway.tell({ name: 'CHANNEL_UPDATE', guildId: guild.id, intent: 'Guilds', data });
  return { channel: changed.name, allow, deny };
}
