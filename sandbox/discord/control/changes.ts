import type { z } from 'zod';
import { OrderError, unknownName } from '../../control/order-error.ts';
import { toBits } from '../guild/permissions.ts';
import { toChannel, toGuild, toRole } from '../guild/wire.ts';
import { PARTS_OF_NEW } from '../guild/plan.ts';
import { remove } from '../messages/post.ts';
import { channelNamed, inGuild, messageNamed, personNamed, roleNamed } from '../named.ts';
import type { Discord, InGuild } from '../parts.ts';
import { setArchived } from '../rest/threads.ts';
import { presenceUpdate, voiceStateUpdate } from '../guild/states.ts';
import type {
  GrowthOrder,
  GuildOrder,
  MemberOrder,
  NewGuildOrder,
  PermissionOrder,
  RemovalOrder,
  RoleOrder,
  ThreadStateOrder,
} from './orders.ts';

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
    presences: gateway.presences,
    shards: gateway.connectedShards,
    guilds: guilds.all.map(({ id, name, hasBot }) => ({ id, name, hasBot })),
  };
}

export function changeGuild(discord: Discord, order: z.output<typeof GuildOrder>) {
  const scope = inGuild(discord, order);
  const { guild, gateway, commands, context } = scope;
  const { preferredLocale = guild.preferredLocale, premiumTier = guild.premiumTier, hasBot = guild.hasBot, systemChannel } = order;
  const systemChannelId = systemChannel === undefined ? guild.systemChannelId : systemChannelNamed(scope, systemChannel);
  if (preferredLocale !== guild.preferredLocale || systemChannelId !== guild.systemChannelId || premiumTier !== guild.premiumTier) {
    guild.preferredLocale = preferredLocale;
    guild.premiumTier = premiumTier;
    guild.systemChannelId = systemChannelId;
    gateway.dispatch({ name: 'GUILD_UPDATE', guildId: guild.id, intent: 'Guilds', data: toGuild(guild) });
  }
  if (order.hasBot === false) {
    for (const { id } of commands.in(guild.id)) commands.drop(id);
    gateway.dispatch({ name: 'GUILD_DELETE', guildId: guild.id, intent: 'Guilds', data: { id: guild.id } });
    guild.removeBot();
  } else if (hasBot && !guild.hasBot) {
    guild.addBot(context.clock.nowMs());
    gateway.announceGuild(guild.id);
  }
  return { guild: guild.name, preferredLocale, premiumTier, hasBot, systemChannel: systemChannelId };
}

function systemChannelNamed(scope: InGuild, name: string): string | undefined {
  return name === '' ? undefined : channelNamed(scope, name, 'systemChannel').id;
}

/** A person creates a guild, and invites the bot. */
export function createGuild(discord: Discord, { name, preferredLocale, owner }: z.output<typeof NewGuildOrder>) {
  const { guilds, gateway, context, ids } = discord;
  if (guilds.findNamed(name)) throw new OrderError(`name: there is a server ${name}.`);
  const { people } = context.world;
  const place = owner === undefined ? 0 : people.findIndex(({ handle }) => handle.toLowerCase() === owner.toLowerCase());
  if (place < 0) throw unknownName({ field: 'owner', noun: 'person', name: owner, known: people.map(({ handle }) => handle) });
  const others = guilds.first.members.all().flatMap(({ username }) => {
    const index = people.findIndex(({ handle }) => handle === username);
    return index < 0 || index === place ? [] : [index];
  });
  const id = ids.next();
  ids.skipPast(String(BigInt(id) + PARTS_OF_NEW));
  const guild = guilds.create({
    id,
    name,
    locale: preferredLocale,
    people: [place, ...others],
    joinedMs: context.clock.nowMs(),
  });
  gateway.announceGuild(guild.id);
  return { guild: { id: guild.id, name }, channels: guild.channels.all().map((channel) => ({ id: channel.id, name: channel.name })) };
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

export function setRole(discord: Discord, order: z.output<typeof RoleOrder>) {
  const { role: name, permissions } = order;
  const scope = inGuild(discord, order);
  const { guild, gateway } = scope;
  const role = guild.setPermissionsOf(roleNamed(scope, name), toBits(permissions));
  if (role)
    gateway.dispatch({ name: 'GUILD_ROLE_UPDATE', guildId: guild.id, intent: 'Guilds', data: { guild_id: guild.id, role: toRole(role) } });
  return { role: role?.name, permissions };
}

/** Adds roles and channels with numbers as names. */
export function growGuild(discord: Discord, order: z.output<typeof GrowthOrder>) {
  const { guild, gateway, ids } = inGuild(discord, order);
  const to = { guildId: guild.id, intent: 'Guilds' } as const;
  for (let count = order.roles; count > 0; count--) {
    const role = guild.addRole(ids.next(), `Role ${guild.roles.length}`);
    gateway.dispatch({ ...to, name: 'GUILD_ROLE_CREATE', data: { guild_id: guild.id, role: toRole(role) } });
  }
  for (let count = order.channels; count > 0; count--) {
    const channel = guild.channels.add(ids.next());
    gateway.dispatch({ ...to, name: 'CHANNEL_CREATE', data: toChannel(guild, channel, undefined) });
  }
  return { roles: guild.roles.length, channels: guild.channels.all().length };
}

export function setMemberState(discord: Discord, order: z.output<typeof MemberOrder>) {
  const scope = inGuild(discord, order);
  const { guild, gateway } = scope;
  const member = personNamed(scope, order.user);
  const before = guild.members.stateOf(member);
  const { status = before.status, voice } = order;
  const state = {
    status,
    voice:
      voice === undefined
        ? before.voice
        : voice === null
          ? undefined
          : { channelId: channelNamed(scope, voice.channel).id, streaming: voice.streaming },
  };
  guild.members.setState(member, state);
  const to = { guildId: guild.id } as const;
  if (order.status !== undefined)
    gateway.dispatch({ ...to, name: 'PRESENCE_UPDATE', intent: 'GuildPresences', data: presenceUpdate(guild, member, state) });
  if (voice !== undefined)
    gateway.dispatch({ ...to, name: 'VOICE_STATE_UPDATE', intent: 'GuildVoiceStates', data: voiceStateUpdate(guild, member, state) });
  return { user: member.username, status, voice: state.voice };
}
