import { Hono } from 'hono';
import { GUILD_ID } from '../guild/identity.ts';
import { toApplication, toChannel, toCurrentUser, toGuild, toRole, toUser } from '../guild/wire.ts';
import type { Discord } from '../parts.ts';
import { refusals } from '../refusal.ts';
import { channelOf, checkGuild, idOf } from './lookups.ts';
import { limited } from './rate-limits.ts';

/** Who the bot is, and what the guild is made of. */
export function guildRoutes(discord: Discord): Hono {
  const { guild, messages, limits } = discord;
  const byGuild = limited(limits, 'guild', 'guild');
  const application = () => Response.json(toApplication(guild, discord.endpoint.url));
  return new Hono()
    .get('/users/@me', (c) => c.json(toCurrentUser(guild.members.bot)))
    .get('/users/@me/guilds', (c) => c.json([{ id: GUILD_ID, name: guild.name, icon: null, owner: false, permissions: '0', features: [] }]))
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
    });
}
