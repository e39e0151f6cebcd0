import { Hono } from 'hono';
import { z } from 'zod';
import { Id, parseForm } from '../form.ts';
import { toApplication, toChannel, toCurrentUser, toGuild, toMember, toRole, toUser } from '../guild/wire.ts';
import type { Discord } from '../parts.ts';
import { refusals } from '../refusal.ts';
import { compareIds } from '../snowflake.ts';
import { channelOf, checkGuild, idOf } from './lookups.ts';
import { limited } from './rate-limits.ts';

const MemberPage = z.object({ limit: z.coerce.number().int().min(1).max(1000).default(1), after: Id.default('0') });

/** Who the bot is, and what the guild is made of. */
export function guildRoutes(discord: Discord): Hono {
  const { guild, messages, limits } = discord;
  const byGuild = limited(limits, 'guild', 'guild');
  const application = () => Response.json(toApplication(guild));
  return new Hono()
    .get('/users/@me', (c) => c.json(toCurrentUser(guild.members.bot)))
    .get('/users/:user', (c) => {
      const member = guild.members.find(idOf(c, 'user'));
      if (!member) throw refusals.unknownUser();
      return c.json(toUser(member));
    })
    .get('/applications/@me', application)
    .get('/oauth2/applications/@me', application)
    .get('/channels/:channel', limited(limits, 'guild', 'channel'), (c) => {
      const channel = channelOf(discord, c);
      return c.json(toChannel(channel, messages.lastId(channel.id)));
    })
    .get('/guilds/:guild', byGuild, (c) => {
      checkGuild(c);
      return c.json(toGuild(guild));
    })
    .get('/guilds/:guild/channels', byGuild, (c) => {
      checkGuild(c);
      const channels = guild.channels.all().filter(({ thread }) => thread === undefined);
      return c.json(channels.map((channel) => toChannel(channel, messages.lastId(channel.id))));
    })
    .get('/guilds/:guild/roles', byGuild, (c) => {
      checkGuild(c);
      return c.json(guild.roles.map(toRole));
    })
    .get('/guilds/:guild/members', byGuild, (c) => {
      checkGuild(c);
      const { limit, after } = parseForm(MemberPage, c.req.query());
      const members = guild.members.all().toSorted((a, b) => compareIds(a.userId, b.userId));
      return c.json(
        members
          .filter(({ userId }) => compareIds(userId, after) > 0)
          .slice(0, limit)
          .map(toMember),
      );
    })
    .get('/guilds/:guild/members/:user', byGuild, (c) => {
      checkGuild(c);
      const member = guild.members.find(idOf(c, 'user'));
      if (!member) throw refusals.unknownMember();
      return c.json(toMember(member));
    });
}
