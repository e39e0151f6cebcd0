import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { Id, parseForm } from '../form.ts';
import type { Guild } from '../guild/guild.ts';
import type { Member } from '../guild/members.ts';
import { includes, type Permission } from '../guild/permissions.ts';
import type { Role } from '../guild/roles.ts';
import { toMember } from '../guild/wire.ts';
import type { Discord } from '../parts.ts';
import { refusals } from '../refusal.ts';
import { compareIds } from '../snowflake.ts';
import { guildOf, idOf } from './lookups.ts';
import { limited } from './rate-limits.ts';

const MemberPage = z.object({ limit: z.coerce.number().int().min(1).max(1000).default(1), after: Id.default('0') });
const MemberSearch = z.object({ query: z.string().min(1), limit: z.coerce.number().int().min(1).max(1000).default(1) });

/** Who is in a guild, and which roles they have. */
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
  if (data) gateway.tell({ name: 'GUILD_MEMBER_UPDATE', guildId: guild.id, intent: 'GuildMembers', data });
}
