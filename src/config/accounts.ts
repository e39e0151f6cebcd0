/** An application of Twitch. */
interface TwitchAccount {
  readonly platform: 'twitch';
  readonly account: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly apiUrl: string;
  readonly authUrl: string;
}

/** An application of Kick. */
interface KickAccount extends Omit<TwitchAccount, 'platform'> {
  readonly platform: 'kick';
}

/** The bot in one Discord server. */
interface DiscordAccount {
  readonly platform: 'discord';
  readonly account: string;
  /** The same for all servers, because there is one bot. */
  readonly token: string;
  readonly guildId: string;
  /** The IANA time zone for times in this server. */
  readonly zone: string;
  readonly apiUrl: string;
}

/** A model behind an OpenAI-compatible endpoint. */
interface AssistantAccount {
  readonly platform: 'assistant';
  readonly account: string;
  readonly apiKey: string;
  readonly model: string;
  readonly url: string;
}

/** The social platform of a sandbox. */
interface SandboxAccount {
  readonly platform: 'sandbox';
  readonly account: string;
  readonly url: string;
  readonly token: string;
}

/** An account of X with at least one kind of credentials: a client to sign in with, keys of OAuth 1.0a, or a bearer token for reading. */
interface XAccount {
  readonly platform: 'x';
  readonly account: string;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly bearerToken?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly apiSecret?: string | undefined;
  readonly accessToken?: string | undefined;
  readonly accessSecret?: string | undefined;
  readonly apiUrl: string;
}

/** An account of Bluesky on any server of the AT Protocol. */
interface BlueskyAccount {
  readonly platform: 'bluesky';
  readonly account: string;
  readonly handle: string;
  /** Absent if the operator signs in with `fanfare auth`. */
  readonly appPassword?: string | undefined;
  readonly url: string;
  /** The directory of accounts and the video service, if they are not the default ones. */
  readonly plcUrl?: string | undefined;
  readonly videoUrl?: string | undefined;
  /** The default language of posts. */
  readonly language?: string | undefined;
}

/** An account on a server with the API of Mastodon. */
interface MastodonAccount {
  readonly platform: 'mastodon';
  readonly account: string;
  readonly url: string;
  /** Absent if the operator signs in with `fanfare auth`. */
  readonly token?: string | undefined;
  /** The default language and visibility of posts. */
  readonly language?: string | undefined;
  readonly visibility?: 'public' | 'unlisted' | 'followers' | 'direct' | undefined;
}

/** An account: its name in rules, its platform and its credentials. */
export type Account =
  | TwitchAccount
  | KickAccount
  | XAccount
  | BlueskyAccount
  | MastodonAccount
  | DiscordAccount
  | AssistantAccount
  | SandboxAccount;

/** The platforms of accounts. An account from the environment has the name of its platform. */
export const PLATFORMS = [
  'twitch',
  'kick',
  'x',
  'bluesky',
  'mastodon',
  'discord',
  'assistant',
  'sandbox',
] as const satisfies readonly Account['platform'][];
export type Platform = (typeof PLATFORMS)[number];

/** The platforms of posts. */
export const SOCIAL_PLATFORMS = ['x', 'bluesky', 'mastodon', 'sandbox'] as const satisfies readonly Platform[];

/** The accounts of one platform, in the configured order. */
export function accountsOn<P extends Platform>(platform: P, accounts: readonly Account[]): readonly Extract<Account, { platform: P }>[] {
  return accounts.filter((account): account is Extract<Account, { platform: P }> => account.platform === platform);
}

/** The parts of a configuration with secrets. */
export interface SecretHolders {
  readonly accounts: readonly Account[];
  readonly key?: string | undefined;
  readonly giphy?: { readonly apiKey: string } | undefined;
  readonly traces?: { readonly headers: Readonly<Record<string, string>> } | undefined;
  readonly databaseUrl?: string | undefined;
}

/** The secret values, which must not appear anywhere. */
export function secretsOf({ accounts, key, giphy, traces, databaseUrl }: SecretHolders): readonly string[] {
  const secrets = [
    ...accounts.flatMap(secretsIn),
    key,
    giphy?.apiKey,
    ...Object.values(traces?.headers ?? {}),
    ...secretsInUrl(databaseUrl),
  ];
  return [...new Set(secrets.filter((secret) => secret !== undefined))];
}

/** The address with a password, and the password, unless it is as public as the name of the user. */
function secretsInUrl(url: string | undefined): readonly string[] {
  const { username = '', password = '', pathname = '' } = (url === undefined ? undefined : URL.parse(url)) ?? {};
  if (url === undefined || password === '') return [];
  const isPublic = [username, pathname.slice(1), 'postgres', 'fanfare'].includes(password);
  return isPublic ? [url] : [url, password, decodeURIComponent(password)];
}

function secretsIn(account: Account): readonly (string | undefined)[] {
  switch (account.platform) {
    case 'twitch':
    case 'kick':
      return [account.clientSecret];
    case 'x': {
      const { clientSecret, bearerToken, apiKey, apiSecret, accessToken, accessSecret } = account;
      return [clientSecret, bearerToken, apiKey, apiSecret, accessToken, accessSecret];
    }
    case 'bluesky':
      return [account.appPassword];
    case 'assistant':
      return [account.apiKey];
    default:
      return [account.token];
  }
}

/** The address of an account's platform. */
export function addressOf(account: Account): string {
  return 'url' in account ? account.url : account.apiUrl;
}

/** The sandbox that provides all accounts; undefined: real accounts. */
export function sandboxOriginOf({
  sandbox,
  accounts: [account],
}: {
  readonly sandbox: 'inside' | 'outside' | 'none';
  readonly accounts: readonly Account[];
}): string | undefined {
  return sandbox === 'none' || !account ? undefined : new URL(addressOf(account)).origin;
}
