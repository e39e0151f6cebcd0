import { z } from 'zod';
import { LOCALES } from '../commands/form.ts';
import { INTENTS, type Intent } from '../gateway/event.ts';
import { PERMISSIONS, type Permission } from '../guild/permissions.ts';
import { toChannel, toGuild } from '../guild/wire.ts';
import { remove } from '../messages/post.ts';
import { channelNamed, inGuild, messageNamed } from '../named.ts';
import { OrderError } from '../order-error.ts';
import type { Discord, InGuild } from '../parts.ts';
import { setArchived } from '../rest/threads.ts';

const known = <T extends string>(table: Readonly<Record<T, unknown>>) =>
  // Object.keys() returns string[], but the tables have only the keys of their type.
  z.enum(Object.keys(table) as [T, ...T[]]);

/** The name or id of the guild. Default: the guild of the channel id, or the first guild. */
const guild = z.string().optional();

const person = {
  user: z.string(),
  /** The language of the person. */
  locale: z.enum(LOCALES).default('en-US'),
  /** A forged request skips the checks: commands without permission, components that no message has. */
  forged: z.boolean().default(false),
  waitMs: z.number().min(0).max(60_000).default(10_000),
};

/** An interaction of a person with the bot. */
export const InteractionOrder = z.union([
  z.strictObject({
    ...person,
    guild,
    channel: z.string(),
    command: z.string(),
    options: z.record(z.string(), z.union([z.string(), z.boolean()])).default({}),
    autocomplete: z.boolean().default(false),
    focused: z.string().optional(),
  }),
  /** Chooses an entry of a message's menu. */
  z.strictObject({ ...person, message: z.string(), menu: z.string() }),
  /** Clicks the button with this label. */
  z.strictObject({ ...person, message: z.string(), click: z.string() }),
  z.strictObject({ ...person, message: z.string(), customId: z.string(), values: z.array(z.string()).optional() }),
  z.strictObject({
    ...person,
    /** The id of the interaction that opened the modal. */
    modal: z.string(),
    fields: z.record(z.string(), z.union([z.string(), z.array(z.string())])).default({}),
  }),
  /** Submits a modal that the bot did not open. */
  z.strictObject({ ...person, message: z.string(), forgedForm: z.string(), fields: z.record(z.string(), z.string()).default({}) }),
]);
export type InteractionOrder = z.output<typeof InteractionOrder>;

export const GatewayOrder = z.discriminatedUnion('do', [
  z.strictObject({ do: z.enum(['drop', 'reconnect', 'zombie']) }),
  z.strictObject({ do: z.literal('invalidSession'), resumable: z.boolean().default(false) }),
  z.strictObject({ do: z.literal('close'), code: z.int().min(4000).max(4014) }),
  /** From now on, closes connections that identify with this code. */
  z.strictObject({ do: z.literal('refuse'), code: z.int().min(4000).max(4014) }),
  /** From now on, does not answer resumes. */
  z.strictObject({ do: z.literal('ignoreResumes') }),
  z.strictObject({ do: z.literal('disallow'), intents: z.array(known<Intent>(INTENTS)) }),
]);
export type GatewayOrder = z.output<typeof GatewayOrder>;

/** Changes the language of a guild, or adds or removes the bot. */
export const GuildOrder = z.strictObject({ guild, preferredLocale: z.enum(LOCALES).optional(), hasBot: z.boolean().optional() });

/** Sets the interactions endpoint. Without a URL, interactions go to the gateway. */
export const EndpointOrder = z.strictObject({ url: z.string().optional() });

export const MessageOrder = z.strictObject({
  guild,
  user: z.string(),
  channel: z.string(),
  content: z.string(),
  /** The title and the tags of a forum post. */
  title: z.string().min(1).max(100).optional(),
  tags: z.array(z.string()).default([]),
  replyTo: z.string().optional(),
  /** Whether the reply pings. */
  ping: z.boolean().default(true),
});

/** A person opens a thread from a message. */
export const ThreadOrder = z.strictObject({ user: z.string(), message: z.string(), name: z.string() });

/** A moderator archives, reopens or locks a thread. */
export const ThreadStateOrder = z.strictObject({
  guild,
  thread: z.string(),
  archived: z.boolean().default(false),
  locked: z.boolean().default(false),
});

/** A moderator deletes a message or a channel. */
export const RemovalOrder = z.union([z.strictObject({ message: z.string() }), z.strictObject({ guild, channel: z.string() })]);

export const ReactionOrder = z.strictObject({ user: z.string(), message: z.string(), emoji: z.string() });

/** The permissions of the bot in one channel, regardless of its role. */
export const PermissionOrder = z.strictObject({
  guild,
  channel: z.string(),
  allow: z.array(known<Permission>(PERMISSIONS)).default([]),
  deny: z.array(known<Permission>(PERMISSIONS)).default([]),
});

export const GuildQuery = z.object({ guild });

export const MessageQuery = z.object({
  guild,
  channel: z.string().optional(),
  cursor: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
});

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
  const channel = channelNamed(inGuild(discord, { guild, channel: name }), name);
  if (!channel.thread) throw new OrderError(`#${channel.name} is no thread`);
  setArchived(discord, { ...channel, thread: { ...channel.thread, locked } }, archived);
  return { thread: channel.name, archived, locked };
}

export function deleteContent(discord: Discord, order: z.output<typeof RemovalOrder>) {
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
