import { ConfigError } from '#src/errors.ts';
import type { Account } from './accounts.ts';
import type { Environment } from './environment.ts';

export interface EnvironmentAccountsOptions {
  /** The time zone of the server in the environment. */
  readonly zone: string;
  /** Whether the file has servers, so that the environment needs none. */
  readonly hasServers: boolean;
}

/** The accounts from the environment, one per platform. Incomplete credentials throw an error with the missing variables. */
export function environmentAccounts(environment: Environment, { zone, hasServers }: EnvironmentAccountsOptions): readonly Account[] {
  const { TWITCH_CLIENT_ID, TWITCH_CLIENT_SECRET, KICK_CLIENT_ID, KICK_CLIENT_SECRET } = environment;
  const { DISCORD_TOKEN, DISCORD_GUILD_ID, ASSISTANT_API_KEY, ASSISTANT_MODEL } = environment;
  const { SANDBOX_URL, SANDBOX_TOKEN, BLUESKY_HANDLE, BLUESKY_APP_PASSWORD, MASTODON_URL, MASTODON_TOKEN } = environment;
  const twitch = together({ TWITCH_CLIENT_ID, TWITCH_CLIENT_SECRET });
  const kick = together({ KICK_CLIENT_ID, KICK_CLIENT_SECRET });
  const usesServersOfFile = hasServers && DISCORD_GUILD_ID === undefined;
  const discord = usesServersOfFile ? undefined : together({ DISCORD_TOKEN, DISCORD_GUILD_ID });
  const assistant = together({ ASSISTANT_API_KEY, ASSISTANT_MODEL });
  // Without a password or a token, the operator signs in with `fanfare auth`.
  if (BLUESKY_APP_PASSWORD !== undefined) together({ BLUESKY_HANDLE, BLUESKY_APP_PASSWORD });
  if (MASTODON_TOKEN !== undefined) together({ MASTODON_URL, MASTODON_TOKEN });
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
    xAccount(environment),
    BLUESKY_HANDLE === undefined
      ? undefined
      : {
          platform: 'bluesky',
          account: 'bluesky',
          handle: BLUESKY_HANDLE,
          appPassword: BLUESKY_APP_PASSWORD,
          url: environment.BLUESKY_URL,
          plcUrl: environment.BLUESKY_PLC_URL,
          videoUrl: environment.BLUESKY_VIDEO_URL,
        },
    MASTODON_URL === undefined ? undefined : { platform: 'mastodon', account: 'mastodon', url: MASTODON_URL, token: MASTODON_TOKEN },
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

/** The X account, if any variable is set. The keys of OAuth 1.0a only work together. */
function xAccount(environment: Environment): Account | undefined {
  const { X_CLIENT_ID, X_CLIENT_SECRET, X_BEARER_TOKEN, X_API_KEY, X_API_SECRET, X_ACCESS_TOKEN, X_ACCESS_SECRET } = environment;
  const signing = together({ X_API_KEY, X_API_SECRET, X_ACCESS_TOKEN, X_ACCESS_SECRET });
  if (X_CLIENT_SECRET !== undefined) together({ X_CLIENT_ID, X_CLIENT_SECRET });
  if (X_CLIENT_ID === undefined && X_BEARER_TOKEN === undefined && !signing) return undefined;
  return {
    platform: 'x',
    account: 'x',
    clientId: X_CLIENT_ID,
    clientSecret: X_CLIENT_SECRET,
    bearerToken: X_BEARER_TOKEN,
    apiKey: signing?.X_API_KEY,
    apiSecret: signing?.X_API_SECRET,
    accessToken: signing?.X_ACCESS_TOKEN,
    accessSecret: signing?.X_ACCESS_SECRET,
    apiUrl: environment.X_API_URL,
  };
}

/** Requires all or none of the variables; undefined if none is set. */
function together<K extends string>(variables: Readonly<Record<K, string | undefined>>): Readonly<Record<K, string>> | undefined {
  const names = Object.keys(variables) as K[]; // the keys of a literal
  const missing = names.filter((name) => variables[name] === undefined);
  if (missing.length === names.length) return undefined;
  if (missing.length > 0) {
    const set = names.filter((name) => !missing.includes(name));
    throw new ConfigError(
      `${missing.join(' and ')} must also be set, because ${set.join(' and ')} ${set.length === 1 ? 'is' : 'are'} set`,
      { file: 'the environment' },
    );
  }
  return variables as Readonly<Record<K, string>>; // none is missing
}
