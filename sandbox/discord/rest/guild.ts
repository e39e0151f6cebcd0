import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { Id, parseForm } from '../form.ts';
import { archiving } from '../guild/archive.ts';
import type { Channel } from '../guild/channel.ts';
import type { Guild } from '../guild/guild.ts';
import { APPLICATION_ID } from '../guild/identity.ts';
import { letIn } from '../guild/let-in.ts';
import type { Member } from '../guild/members.ts';
import { type Permission, includes } from '../guild/permissions.ts';
import type { Role } from '../guild/roles.ts';
import { toApplication, toChannel, toCurrentUser, toGuild, toMember, toRole, toUser } from '../guild/wire.ts';
import type { Message } from '../messages/message.ts';
import type { Discord } from '../parts.ts';
import { invalidForm, refusals } from '../refusal.ts';
import { compareIds } from '../snowflake.ts';
import { limited } from './rate-limits.ts';

/** The application, the bot and its guilds. */
export function guildRoutes(discord: Discord): Hono {
  const { guilds, messages, limits } = discord;
  const byGuild = limited(limits, 'guild', 'guild');
  const application = () => Response.json(toApplication(guilds, discord.endpoint.url));
  return new Hono()
    .get('/users/@me', (c) => c.json(toCurrentUser(guilds.first.members.bot)))
    .get('/users/@me/guilds', (c) => {
      const there = guilds.all.filter(({ hasBot }) => hasBot);
      return c.json(there.map(({ id, name }) => ({ id, name, icon: null, owner: false, permissions: '0', features: [] })));
    })
    .get('/users/:user', (c) => {
      const member = guilds.findUser(idOf(c, 'user'));
      if (!member) throw refusals.unknownUser();
      return c.json(toUser(member));
    })
    .get('/applications/@me', application)
    .get('/oauth2/applications/@me', application)
    .get('/channels/:channel', limited(limits, 'guild', 'channel'), (c) => {
      const channel = channelOf(discord, c);
      return c.json(toChannel(guilds.of(channel.id), channel, messages.lastId(channel.id)));
    })
    .get('/guilds/:guild', byGuild, (c) => {
      // The guild itself is hidden from whom it threw out.
      const named = guilds.find(idOf(c, 'guild'));
      if (named && !named.hasBot && !named.invitesBot) throw refusals.unknownGuild();
      return c.json(toGuild(guildOf(discord, c)));
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

const MemberPage = z.object({ limit: z.coerce.number().int().min(1).max(1000).default(1), after: Id.default('0') });
const MemberSearch = z.object({ query: z.string().min(1), limit: z.coerce.number().int().min(1).max(1000).default(1) });

/** Members and their roles. */
export function memberRoutes(discord: Discord): Hono {
  const { limits } = discord;
  const byGuild = limited(limits, 'guild', 'guild');
  return new Hono()
    .get('/guilds/:guild/members', byGuild, (c) => {
      const { limit, after } = parseForm(MemberPage, c.req.query());
      const members = guildOf(discord, c)
        .members.all()
        .toSorted((a, b) => compareIds(a.userId, b.userId));
      return c.json(
        members
          .filter(({ userId }) => compareIds(userId, after) > 0)
          .slice(0, limit)
          .map(toMember),
      );
    })
    .get('/guilds/:guild/members/search', byGuild, (c) => {
      const { query, limit } = parseForm(MemberSearch, c.req.query());
      const begins = (name: string): boolean => name.toLowerCase().startsWith(query.toLowerCase());
      const everybody = guildOf(discord, c).members.all();
      const found = everybody.filter(({ username, displayName }) => begins(username) || begins(displayName));
      return c.json(found.slice(0, limit).map(toMember));
    })
    .get('/guilds/:guild/members/:user', byGuild, (c) => c.json(toMember(memberOf(guildOf(discord, c), c))))
    .put('/guilds/:guild/members/:user/roles/:role', limited(limits, 'roles', 'guild'), (c) => {
      const guild = guildOf(discord, c);
      const [member, role] = [memberOf(guild, c), roleOf(guild, c)];
      if (!member.roleIds.includes(role.id)) change(discord, guild, member, [...member.roleIds, role.id]);
      return c.body(null, 204);
    })
    .delete('/guilds/:guild/members/:user/roles/:role', limited(limits, 'roles', 'guild'), (c) => {
      const guild = guildOf(discord, c);
      const [member, role] = [memberOf(guild, c), roleOf(guild, c)];
      if (member.roleIds.includes(role.id)) {
        change(
          discord,
          guild,
          member,
          member.roleIds.filter((id) => id !== role.id),
        );
      }
      return c.body(null, 204);
    });
}

function memberOf({ members }: Guild, c: Context): Member {
  const member = members.find(idOf(c, 'user'));
  if (!member) throw refusals.unknownMember();
  return member;
}

/** The role that the path names, where the bot may hand it out: one below its own. */
function roleOf(guild: Guild, c: Context): Role {
  const role = guild.roles.find(({ id }) => id === idOf(c, 'role') && id !== guild.id);
  if (!role) throw refusals.unknownRole();
  const own = guild.roles.filter(({ id }) => guild.members.bot.roleIds.includes(id));
  const highest = Math.max(...own.map(({ position }) => position));
  const needed: Permission = 'ManageRoles';
  const may = own.some(({ permissions }) => includes(permissions, needed));
  if (!may || role.managedBy !== undefined || role.position >= highest) throw refusals.missingPermissions();
  return role;
}

function change({ gateway }: Discord, guild: Guild, member: Member, roleIds: readonly string[]): void {
  const changed = guild.members.setRoles(member, roleIds);
  const data = changed && { guild_id: guild.id, ...toMember(changed) };
  if (data) gateway.dispatch({ name: 'GUILD_MEMBER_UPDATE', guildId: guild.id, intent: 'GuildMembers', data });
}

/** The channel that the path names, where the bot may see it. */
export function channelOf({ guilds }: Discord, c: Context): Channel {
  const id = idOf(c, 'channel');
  const channel = guilds.findChannel(id);
  if (!channel) throw refusals.unknownChannel();
  if (!guilds.of(id).lets('ViewChannel', channel)) throw refusals.missingAccess();
  return channel;
}

/** The message that the path names, where the bot may read it. */
export function messageOf(discord: Discord, c: Context): Message {
  const channel = channelOf(discord, c);
  demand(discord, 'ReadMessageHistory', channel);
  const message = discord.messages.standing(channel.id, idOf(c, 'message'));
  if (!message) throw refusals.unknownMessage();
  return message;
}

/** The message that the path names, where it may be changed: nothing in an archived thread may. */
export function openMessageOf(discord: Discord, c: Context): Message {
  const message = messageOf(discord, c);
  if (channelOf(discord, c).thread?.archived) throw refusals.archived();
  return message;
}

/** Refuses a message that the bot may not write; an archived thread opens for it. */
export function demandToWrite(discord: Discord, channel: Channel): void {
  demand(discord, channel.thread ? 'SendMessagesInThreads' : 'SendMessages', channel);
  if (channel.kind === 'voice') demand(discord, 'Connect', channel);
  const { thread } = channel;
  if (!thread?.archived && !thread?.locked) return;
  const guild = discord.guilds.of(channel.id);
  if (thread.locked && !guild.lets('ManageThreads', channel)) throw refusals.threadLocked();
  guild.channels.put(archiving(guild.channels, channel, false, discord.context.clock.nowMs()));
}

/** Refuses what the bot may not do. */
export function demand({ guilds }: Discord, permission: Permission, channel: Channel): void {
  if (!guilds.of(channel.id).lets(permission, channel)) throw refusals.missingPermissions();
}

/** The guild that the path names, where the bot is in it; to be asked for brings it into one that it is invited to. */
export function guildOf(discord: Discord, c: Context): Guild {
  const guild = discord.guilds.find(idOf(c, 'guild'));
  if (!guild) throw refusals.unknownGuild();
  if (guild.invitesBot) letIn(discord, guild);
  if (!guild.hasBot) throw refusals.missingAccess();
  return guild;
}

/** Refuses an application that is not the bot's. */
export function checkApplication(c: Context): void {
  if (idOf(c, 'application') !== APPLICATION_ID) throw refusals.unknownApplication();
}

/** The id at this place of the path. */
export function idOf(c: Context, parameter: string): string {
  const id = c.req.param(parameter) ?? '';
  if (/^\d{1,20}$/.test(id)) return id;
  throw invalidForm([{ path: [`${parameter}_id`], code: 'NUMBER_TYPE_COERCE', message: `Value "${id}" is not snowflake.` }]);
}
