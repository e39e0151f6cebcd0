import { ConfigError } from '#src/errors.ts';
import type { Account } from './accounts.ts';
import type { Environment } from './environment.ts';

// Variables of platforms that this version has no adapter for, by platform.
const WITHOUT_ADAPTER: Readonly<Record<string, RegExp>> = {
  X: /^X_(CLIENT|BEARER|API|ACCESS)_/,
  Mastodon: /^MASTODON_(URL|TOKEN)$/,
  Bluesky: /^BLUESKY_(HANDLE|APP_PASSWORD)$/,
};

export interface EnvironmentAccountsOptions {
  /** Of the server that the environment names. */
  readonly zone: string;
  /** Whether the bot has servers beside that one, so that it can do without. */
  readonly hasServers: boolean;
}

/** The accounts that the environment opens, one a platform; half of the credentials of one is an error that names the other half. */
export function environmentAccounts(environment: Environment, { zone, hasServers }: EnvironmentAccountsOptions): readonly Account[] {
  const { TWITCH_CLIENT_ID, TWITCH_CLIENT_SECRET, KICK_CLIENT_ID, KICK_CLIENT_SECRET } = environment;
  const { DISCORD_TOKEN, DISCORD_GUILD_ID, ASSISTANT_API_KEY, ASSISTANT_MODEL } = environment;
  const { SANDBOX_URL, SANDBOX_TOKEN } = environment;
  const twitch = together({ TWITCH_CLIENT_ID, TWITCH_CLIENT_SECRET });
  const kick = together({ KICK_CLIENT_ID, KICK_CLIENT_SECRET });
  const isElsewhere = hasServers && DISCORD_GUILD_ID === undefined;
  const discord = isElsewhere ? undefined : together({ DISCORD_TOKEN, DISCORD_GUILD_ID });
  const assistant = together({ ASSISTANT_API_KEY, ASSISTANT_MODEL });
  const sandbox = together({ SANDBOX_URL, SANDBOX_TOKEN });
  const accounts: (Account | undefined)[] = [
    twitch && {
      platform: 'twitch',
      account: 'twitch',
      clientId: twitch.TWITCH_CLIENT_ID,
      clientSecret: twitch.TWITCH_CLIENT_SECRET,
      apiUrl: environment.TWITCH_API_URL,
      authUrl: environment.TWITCH_AUTH_URL,
    },
    kick && {
      platform: 'kick',
      account: 'kick',
      clientId: kick.KICK_CLIENT_ID,
      clientSecret: kick.KICK_CLIENT_SECRET,
      apiUrl: environment.KICK_API_URL,
      authUrl: environment.KICK_AUTH_URL,
    },
    discord && {
      platform: 'discord',
      account: 'discord',
      token: discord.DISCORD_TOKEN,
      guildId: discord.DISCORD_GUILD_ID,
      zone,
      apiUrl: environment.DISCORD_API_URL,
    },
    assistant && {
      platform: 'assistant',
      account: 'assistant',
      apiKey: assistant.ASSISTANT_API_KEY,
      model: assistant.ASSISTANT_MODEL,
      url: environment.ASSISTANT_URL,
    },
    sandbox && { platform: 'sandbox', account: 'sandbox', url: sandbox.SANDBOX_URL, token: sandbox.SANDBOX_TOKEN },
  ];
  return accounts.filter((account) => account !== undefined);
}

/** The platforms that the environment has credentials for and this version no adapter. */
export function withoutAdapter(variables: Readonly<Record<string, string | undefined>>): readonly string[] {
  const given = Object.keys(variables).filter((name) => variables[name]);
  return Object.entries(WITHOUT_ADAPTER).flatMap(([platform, names]) => (given.some((name) => names.test(name)) ? platform : []));
}

/** Variables that only work together: all of them, or undefined where none is set. */
function together<K extends string>(variables: Readonly<Record<K, string | undefined>>): Readonly<Record<K, string>> | undefined {
  const names = Object.keys(variables) as K[]; // the keys of a literal
  const missing = names.filter((name) => variables[name] === undefined);
  if (missing.length === names.length) return undefined;
  if (missing.length > 0) {
    const set = names.filter((name) => !missing.includes(name));
    throw new ConfigError(`${missing.join(' and ')} must be set, too, beside ${set.join(' and ')}`, { file: 'the environment' });
  }
  return variables as Readonly<Record<K, string>>; // none is missing
}
