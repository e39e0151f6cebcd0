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
  /** The same for all of them: there is one bot. */
  readonly token: string;
  readonly guildId: string;
  /** The IANA zone in which times are typed and shown there. */
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

/** An account of X, by what its owner has: an application to sign in with, the keys of OAuth 1.0a, a bearer token to read with, or several. */
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

/** An account of Bluesky, on any server of the AT Protocol. */
interface BlueskyAccount {
  readonly platform: 'bluesky';
  readonly account: string;
  readonly handle: string;
  /** Absent: somebody signs in with `fanfare auth`. */
  readonly appPassword?: string | undefined;
  readonly url: string;
  /** The directory that says on which server an account is, and where videos are made ready, where they are not the usual ones. */
  readonly plcUrl?: string | undefined;
  readonly videoUrl?: string | undefined;
  /** The language of posts that name none. */
  readonly language?: string | undefined;
}

/** An account on a server that speaks as Mastodon does. */
interface MastodonAccount {
  readonly platform: 'mastodon';
  readonly account: string;
  readonly url: string;
  /** Absent: somebody signs in with `fanfare auth`. */
  readonly token?: string | undefined;
  /** The language of posts that name none, and who sees posts that do not say it. */
  readonly language?: string | undefined;
  readonly visibility?: 'public' | 'unlisted' | 'private' | 'direct' | undefined;
}

/** What Fanfare reads and speaks through: the name by which rules know it, its platform, and what opens it. */
export type Account =
  | TwitchAccount
  | KickAccount
  | XAccount
  | BlueskyAccount
  | MastodonAccount
  | DiscordAccount
  | AssistantAccount
  | SandboxAccount;

/** Every platform that accounts can be of; the account that the environment opens is named like it. */
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

/** Those that posts go to. */
export const SOCIAL_PLATFORMS = ['x', 'bluesky', 'mastodon', 'sandbox'] as const satisfies readonly Platform[];

/** The accounts of one platform, in the order in which they were given. */
export function accountsOn<P extends Platform>(platform: P, accounts: readonly Account[]): readonly Extract<Account, { platform: P }>[] {
  return accounts.filter((account): account is Extract<Account, { platform: P }> => account.platform === platform);
}

/** What holds secrets. */
export interface SecretHolders {
  readonly accounts: readonly Account[];
  readonly key?: string | undefined;
  readonly giphy?: { readonly apiKey: string } | undefined;
}

/** The values that must not be seen anywhere. */
export function secretsOf({ accounts, key, giphy }: SecretHolders): readonly string[] {
  return [...new Set([...accounts.flatMap(secretsIn), key, giphy?.apiKey].filter((secret) => secret !== undefined))];
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

/** Where the platform of an account is. */
export function addressOf(account: Account): string {
  return 'url' in account ? account.url : account.apiUrl;
}
