import { z } from 'zod';
import { account } from '#adapters/discord/account.ts';
import { discordApi, type DiscordApi } from '#adapters/discord/client.ts';
import { lacks, PERMISSIONS, type Permission } from '#adapters/discord/permissions/permission.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { neededIntents, neededPermissions } from '#src/admin/channel-checks/operation-permissions.ts';
import { systemClock } from '#src/clock.ts';
import { accountsOn } from '#src/config/accounts.ts';
import type { Config } from '#src/config/config.ts';
import { readEnvironment } from '#src/config/environment.ts';
import { openConfig } from '#src/config/open-config.ts';
import { ConfigError } from '#src/errors.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { loadRules } from '#src/rules/load.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { DiscordSetup } from '#src/admin/accounts/discord-setup.ts';
import { accountsOf } from './accounts.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Discord's flags of the Message Content Intent: verified bots, and bots in fewer than 100 servers. */
const CONTENT_FLAGS = (1 << 18) | (1 << 19);
/** Those of the other privileged intents. */
const INTENT_FLAGS = { 'Server Members Intent': (1 << 14) | (1 << 15), 'Presence Intent': (1 << 12) | (1 << 13) } as const;
const MEMBER_INTENTS = ['Server Members Intent', 'Presence Intent'] as const;
/** Stands for a server that is not chosen yet. */
const NO_SERVER = '0';
const SANDBOX = { accounts: [], defaults: {}, sandbox: 'inside', senderSecrets: new Map() } as const;

const Application = z.object({
  id: z.string(),
  name: z.string(),
  flags: z.int().nullish(),
  bot_require_code_grant: z.boolean().nullish(),
});
const Servers = z.array(z.object({ id: z.string(), name: z.string() }));
const Roles = z.array(z.object({ id: z.string(), name: z.string(), permissions: z.string().regex(/^\d+$/).transform(BigInt) }));
const Member = z.object({ roles: z.array(z.string()) });

/** Opens the setup of a Discord bot with the rules and the configuration of `environment`. */
export function openDiscordSetup(environment: Environment): DiscordSetup {
  const { token: configured, apiUrl } = account.settings(readEnvironment(environment), { zone: 'UTC' });
  const apiOf = (token: string): DiscordApi => discordApi({ token, apiUrl, clock: systemClock });

  async function needs(token: string): ReturnType<DiscordSetup['needs']> {
    const config = configWith(environment, token);
    // Rules of the sandbox count, because most of them are turned on for real accounts next.
    const isOn = (rule: { readonly enabled: boolean | 'sandbox' }): boolean => rule.enabled !== false;
    const load = async (accounts: Accounts): Promise<readonly Rule[]> =>
      (await loadRules({ paths: [config.rulesDirectory], catalogue, accounts, nowMs: Date.now(), isOn })).rules;
    // Some rules need accounts that are not connected yet. With the accounts of the sandbox, these rules are valid.
    const [valid, validLater] = [await load(accountsOf(config)), await load(accountsOf(SANDBOX))];
    const rules = new Map([...validLater, ...valid].map((rule) => [rule.id, rule]));
    const hasAssistant = accountsOn('assistant', config.accounts).length > 0;
    return {
      permissions: neededPermissions({ rules: [...rules.values()].filter(isOn), hasAssistant }),
      intents: neededIntents([...rules.values()].filter(isOn)),
      hasAssistant,
      serverIds: config.servers.map(({ id }) => id).filter((id) => id !== NO_SERVER),
    };
  }

  return {
    token: configured === '' ? undefined : configured,
    needs,

    async application(token, signal) {
      const found = await apiOf(token)({ method: 'GET', path: '/applications/@me', answer: Application, signal });
      const { id, name, flags, bot_require_code_grant: needsCodeGrant } = found;
      const intents = MEMBER_INTENTS.filter((intent) => ((flags ?? 0) & INTENT_FLAGS[intent]) !== 0);
      return { id, name, readsContent: ((flags ?? 0) & CONTENT_FLAGS) !== 0, intents, needsCodeGrant: needsCodeGrant === true };
    },

    servers: (token, signal) => apiOf(token)({ method: 'GET', path: '/users/@me/guilds', answer: Servers, signal }),

    async missing(token, { id: guildId }, { needed, signal }) {
      const api = apiOf(token);
      const { id: memberId } = await api({ method: 'GET', path: '/users/@me', answer: z.object({ id: z.string() }), signal });
      const [all, member] = await Promise.all([
        api({ method: 'GET', path: `/guilds/${guildId}/roles`, answer: Roles, signal }),
        api({ method: 'GET', path: `/guilds/${guildId}/members/${memberId}`, answer: Member, signal }),
      ]);
      const roles = all.filter(({ id }) => id === guildId || member.roles.includes(id));
      return lacks({ guildId, memberId, roles, overwrites: [] }, needed.filter(isPermission)).map(({ permission }) => permission);
    },

    invitation(applicationId, permissions, serverId) {
      const bits = permissions.filter(isPermission).reduce((sum, permission) => sum | PERMISSIONS[permission], 0n);
      const query = new URLSearchParams({ client_id: applicationId, permissions: String(bits) });
      if (serverId !== undefined) query.set('guild_id', serverId);
      return `https://discord.com/oauth2/authorize?${query.toString()}&scope=bot+applications.commands`;
    },
  };
}

function isPermission(name: string): name is Permission {
  return Object.hasOwn(PERMISSIONS, name);
}

/** The configuration with this token, even before a server is chosen. */
function configWith(environment: Environment, token: string): Config {
  const variables: Environment = { ...environment, DISCORD_TOKEN: token };
  try {
    return openConfig(variables, { isConnecting: true });
  } catch (error) {
    if (!(error instanceof ConfigError) || variables['DISCORD_GUILD_ID']) throw error;
    return openConfig({ ...variables, DISCORD_GUILD_ID: NO_SERVER }, { isConnecting: true });
  }
}
