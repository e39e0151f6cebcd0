import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { parseForm } from '../form.ts';
import { archiving } from '../guild/archive.ts';
import type { Channel } from '../guild/channel.ts';
import type { Guild } from '../guild/guild.ts';
import { APPLICATION_ID } from '../identity.ts';
import type { Member } from '../guild/members.ts';
import { type Permission, includes } from '../guild/permissions.ts';
import type { Role } from '../guild/roles.ts';
import { INTENT_FLAGS, toApplication, toChannel, toCurrentUser, toGuild, toMember, toRole, toUser } from '../guild/wire.ts';
import type { Message } from '../messages/message.ts';
import type { Discord } from '../parts.ts';
import { invalidForm, refusals } from '../refusal.ts';
import { limited } from './rate-limits.ts';

/** The application, the bot and its guilds. */
export function guildRoutes(discord: Discord): Hono {
  const { guilds, messages, limits } = discord;
  const byGuild = limited(limits, 'guild', 'guild');
  return new Hono()
    .get('/users/@me', (c) => c.json(toCurrentUser(guilds.first.members.bot)))
    .get('/users/@me/guilds', (c) => {
      const isEmpty = discord.context.faults.take('emptyList', { platform: 'discord', method: c.req.method, path: c.req.path });
      const there = guilds.all.filter(({ hasBot }) => hasBot && !isEmpty);
      return c.json(there.map(({ id, name }) => ({ id, name, icon: null, owner: false, permissions: '0', features: [] })));
    })
    .get('/users/:user', (c) => {
      const member = guilds.findUser(idOf(c, 'user'));
      if (!member) throw refusals.unknownUser();
      return c.json(toUser(member));
    })
    .get('/applications/@me', (c) => {
      const application = toApplication(guilds, discord.endpoint.url);
      const off = (['GuildPresences', 'MessageContent'] as const).filter((intent) => !discord.gateway.allows(intent));
      const flags = off.reduce((bits, intent) => bits & ~INTENT_FLAGS[intent], Number(application['flags']));
      return c.json({ ...application, flags });
    })
    .get('/channels/:channel', limited(limits, 'guild', 'channel'), (c) => {
      const channel = channelOf(discord, c);
      return c.json(toChannel(guilds.of(channel.id), channel, messages.lastId(channel.id)));
    })
    .get('/guilds/:guild', byGuild, (c) => {
      // A removed bot cannot see the guild.
      const named = guilds.find(idOf(c, 'guild'));
      if (named && !named.hasBot && !named.invitesBot) throw refusals.unknownGuild();
      const guild = guildOf(discord, c);
      const counts = c.req.query('with_counts') === 'true' ? { approximate_member_count: guild.members.all().length } : {};
      return c.json({ ...toGuild(guild), ...counts });
    })
    .get('/guilds/:guild/channels', byGuild, (c) => {
      const guild = guildOf(discord, c);
      const channels = guild.channels.all().filter(({ thread }) => thread === undefined);
      return c.json(channels.map((channel) => toChannel(guild, channel, messages.lastId(channel.id))));
    })
    .get('/guilds/:guild/roles', byGuild, (c) => {
      return c.json(guildOf(discord, c).roles.map(toRole));
    });
}

const MemberSearch = z.object({ query: z.string().min(1), limit: z.coerce.number().int().min(1).max(1000).default(1) });

const MemberList = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(1),
  after: z
    .string()
    .regex(/^\d{1,20}$/)
    .default('0'),
});

/** Members and their roles. */
export function memberRoutes(discord: Discord): Hono {
  const { limits, gateway } = discord;
  const byGuild = limited(limits, 'guild', 'guild');
  return new Hono()
    .get('/guilds/:guild/members', byGuild, (c) => {
      const { limit, after } = parseForm(MemberList, c.req.query());
      const { members } = guildOf(discord, c);
      if (!gateway.allows('GuildMembers')) throw refusals.missingAccess();
      const following = members.all().filter(({ userId }) => BigInt(userId) > BigInt(after));
      return c.json(
        following
          .toSorted((a, b) => (BigInt(a.userId) < BigInt(b.userId) ? -1 : 1))
          .slice(0, limit)
          .map(toMember),
      );
    })
    .get('/guilds/:guild/members/search', byGuild, (c) => {
      const { query, limit } = parseForm(MemberSearch, c.req.query());
      const begins = (name: string): boolean => name.toLowerCase().startsWith(query.toLowerCase());
      const all = guildOf(discord, c).members.all();
      const found = all.filter(({ username, displayName }) => begins(username) || begins(displayName));
      return c.json(found.slice(0, limit).map(toMember));
    })
    .get('/guilds/:guild/members/:user', byGuild, (c) => c.json(toMember(memberOf(guildOf(discord, c), c))))
    .on(['PUT', 'DELETE'], '/guilds/:guild/members/:user/roles/:role', limited(limits, 'roles', 'guild'), (c) => {
      const guild = guildOf(discord, c);
      const [member, role] = [memberOf(guild, c), roleOf(guild, c)];
      const others = member.roleIds.filter((id) => id !== role.id);
      const roleIds = c.req.method === 'PUT' ? [...others, role.id] : others;
      if (roleIds.length !== member.roleIds.length) setRoles(discord, guild, member, roleIds);
      return c.body(null, 204);
    });
}

function memberOf({ members }: Guild, c: Context): Member {
  const member = members.find(idOf(c, 'user'));
  if (!member) throw refusals.unknownMember();
  return member;
}

/** The role in the path. The bot can assign only roles below its highest role. */
function roleOf(guild: Guild, c: Context): Role {
  const role = guild.roles.find(({ id }) => id === idOf(c, 'role') && id !== guild.id);
  if (!role) throw refusals.unknownRole();
  const botRoles = guild.roles.filter(({ id }) => guild.members.bot.roleIds.includes(id));
  const highest = Math.max(...botRoles.map(({ position }) => position));
  const isAllowed = botRoles.some(({ permissions }) => includes(permissions, 'ManageRoles'));
  if (!isAllowed || role.managedBy !== undefined || role.position >= highest) throw refusals.missingPermissions();
  return role;
}

function setRoles({ gateway }: Discord, guild: Guild, member: Member, roleIds: readonly string[]): void {
  const changed = guild.members.setRoles(member, roleIds);
  const data = changed && { guild_id: guild.id, ...toMember(changed) };
  if (data) gateway.dispatch({ name: 'GUILD_MEMBER_UPDATE', guildId: guild.id, intent: 'GuildMembers', data });
}

/** The channel in the path, if the bot can see it. */
export function channelOf({ guilds }: Discord, c: Context): Channel {
  const id = idOf(c, 'channel');
  const channel = guilds.findChannel(id);
  if (!channel) throw refusals.unknownChannel();
  if (!guilds.of(id).botMay('ViewChannel', channel)) throw refusals.missingAccess();
  return channel;
}

/** The message in the path, if the bot can read it. */
export function messageOf(discord: Discord, c: Context): Message {
  const channel = channelOf(discord, c);
  demand(discord, 'ReadMessageHistory', channel);
  const message = discord.messages.existing(channel.id, idOf(c, 'message'));
  if (!message) throw refusals.unknownMessage();
  return message;
}

/** The message in the path, if it can be changed. Messages in archived threads cannot. */
export function openMessageOf(discord: Discord, c: Context): Message {
  const message = messageOf(discord, c);
  if (channelOf(discord, c).thread?.archived) throw refusals.archived();
  return message;
}

/** Checks that the bot can write in the channel. A message reopens an archived thread. */
export function demandToWrite(discord: Discord, channel: Channel): void {
  demand(discord, channel.thread ? 'SendMessagesInThreads' : 'SendMessages', channel);
  if (channel.kind === 'voice') demand(discord, 'Connect', channel);
  const { thread } = channel;
  if (!thread?.archived && !thread?.locked) return;
  const guild = discord.guilds.of(channel.id);
  if (thread.locked && !guild.botMay('ManageThreads', channel)) throw refusals.threadLocked();
  guild.channels.put(archiving(guild.channels, channel, false, discord.context.clock.nowMs()));
}

/** Throws if the bot lacks the permission in the channel. */
export function demand({ guilds }: Discord, permission: Permission, channel: Channel): void {
  if (!guilds.of(channel.id).botMay(permission, channel)) throw refusals.missingPermissions();
}

/** The guild in the path. The first request of an invited bot adds it to the guild. */
export function guildOf(discord: Discord, c: Context): Guild {
  const guild = discord.guilds.find(idOf(c, 'guild'));
  if (!guild) throw refusals.unknownGuild();
  if (guild.invitesBot) {
    guild.addBot(discord.context.clock.nowMs());
    discord.gateway.announceGuild(guild.id);
  }
  if (!guild.hasBot) throw refusals.missingAccess();
  return guild;
}

/** Throws if the application in the path is not the bot's. */
export function checkApplication(c: Context): void {
  if (idOf(c, 'application') !== APPLICATION_ID) throw refusals.unknownApplication();
}

/** The id in this parameter of the path. */
export function idOf(c: Context, parameter: string): string {
  const id = c.req.param(parameter) ?? '';
  if (/^\d{1,20}$/.test(id)) return id;
  throw invalidForm([{ path: [`${parameter}_id`], code: 'NUMBER_TYPE_COERCE', message: `Value "${id}" is not snowflake.` }]);
}
