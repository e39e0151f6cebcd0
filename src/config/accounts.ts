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

/** What Fanfare reads and speaks through: the name by which rules know it, its platform, and what opens it. */
export type Account = TwitchAccount | KickAccount | DiscordAccount | AssistantAccount | SandboxAccount;

/** Every platform that accounts can be of; the account that the environment opens is named like it. */
export const PLATFORMS = ['twitch', 'kick', 'discord', 'assistant', 'sandbox'] as const satisfies readonly Account['platform'][];
export type Platform = (typeof PLATFORMS)[number];

/** The accounts of one platform, in the order in which they were given. */
export function accountsOn<P extends Platform>(platform: P, accounts: readonly Account[]): readonly Extract<Account, { platform: P }>[] {
  return accounts.filter((account): account is Extract<Account, { platform: P }> => account.platform === platform);
}

/** The values that must not be seen anywhere. */
export function secretsOf({ accounts }: { readonly accounts: readonly Account[] }): readonly string[] {
  return [...new Set(accounts.map(secretOf))];
}

function secretOf(account: Account): string {
  switch (account.platform) {
    case 'twitch':
    case 'kick':
      return account.clientSecret;
    case 'assistant':
      return account.apiKey;
    default:
      return account.token;
  }
}

/** Where the platform of an account is. */
export function addressOf(account: Account): string {
  return 'url' in account ? account.url : account.apiUrl;
}
