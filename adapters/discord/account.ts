import { z } from 'zod';
import { defineAccount, plain, textVariable, together, urlVariableOr, zone } from '#adapters/account.ts';
import type { KnownChannel } from './channels.ts';
import { capabilities } from './capabilities.ts';

/** The servers to which an account sends beside its own; undefined: it is not the account that sends to all served servers. */
function otherServers(): 'any' | readonly string[] | undefined {
  return undefined;
}

/** The bot in one Discord server. */
export const account = defineAccount({
  platform: 'discord',
  title: 'Discord',
  capabilities,
  variables: {
    DISCORD_TOKEN: textVariable('The token of the Discord bot.', 'MTIwMjU4…'),
    DISCORD_GUILD_ID: textVariable(
      'Account `discord`: the id of the server. Not needed if `fanfare.yaml` names the servers.',
      '1202584131993600001',
    ),
    DISCORD_API_URL: urlVariableOr(
      'https://discord.com/api',
      'The address of the Discord API, for a proxy or a sandbox.',
      'http://127.0.0.1:8081/discord/api',
    ),
  },
  form: z.strictObject({
    platform: z.literal('discord'),
    server: plain()
      .regex(/^\d{15,20}$/u, { error: 'the id of a server is a long number: turn on Developer Mode in Discord and copy the id' })
      .meta({ description: 'The id of a Discord server. The bot of DISCORD_TOKEN must be a member.', examples: ['1202584131993600007'] }),
    zone: zone('The time zone of the server; absent: the time zone in `discord`.').optional(),
  }),
  sharedSecret: { key: 'token', variable: 'DISCORD_TOKEN', hint: 'one bot serves all servers: set its token in DISCORD_TOKEN' },
  uniqueKey: 'server',
  settings: ({ DISCORD_TOKEN: token = '', DISCORD_API_URL: apiUrl }, defaults) => ({
    token,
    apiUrl,
    zone: defaults.zone,
    otherServers: otherServers(),
  }),
  fromEnvironment({ DISCORD_TOKEN, DISCORD_GUILD_ID }, { isInFile }) {
    if (isInFile && DISCORD_GUILD_ID === undefined) return undefined;
    const bot = together({ DISCORD_TOKEN, DISCORD_GUILD_ID });
    return bot && { server: bot.DISCORD_GUILD_ID };
  },
  async open(one, parts) {
    const { clock, standingMessages, commandUses, memberStates, botStatus: statuses } = parts;
    const [{ discord }, { anyServer }, { discordApi }] = await Promise.all([
      import('./index.ts'),
      import('./any-server.ts'),
      import('./client.ts'),
    ]);
    // One bot serves all servers, and Discord limits the bot.
    const api = parts.shared((rateBudgets) => discordApi({ ...one, clock, rateBudgets, postponesWrites: true }));
    const open = (guildId: string, knownChannel?: KnownChannel) =>
      discord({ ...one, guildId, api, standingMessages, commandUses, memberStates, statuses, knownChannel, clock });
    const home = open(one.server);
    const { otherServers: others } = one;
    if (others === undefined) return home;
    // Without other servers, it still takes the live roles in those that the file named before.
    const isServed = (guildId: string): boolean => others === 'any' || others.includes(guildId);
    return anyServer({ api, homeId: one.server, home, open, isServed });
  },
  identify: async (one, options) => (await import('./identify.ts')).identify(one, options),
});
