import { Hono } from 'hono';
import { toApplication, toChannel, toCurrentUser, toGuild, toRole, toUser } from '../guild/wire.ts';
import type { Discord } from '../parts.ts';
import { refusals } from '../refusal.ts';
import { channelOf, guildOf, idOf } from './lookups.ts';
import { limited } from './rate-limits.ts';

/** Who the bot is, and what its guilds are made of. */
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
