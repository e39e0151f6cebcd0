import { discordApi } from '#adapters/discord/client.ts';
import type { bluesky } from '#adapters/bluesky/index.ts';
import type { discord, DiscordPlatform } from '#adapters/discord/index.ts';
import type { kick } from '#adapters/kick/index.ts';
import type { mastodon } from '#adapters/mastodon/index.ts';
import type { sandbox } from '#adapters/sandbox/index.ts';
import type { twitch } from '#adapters/twitch/index.ts';
import type { x } from '#adapters/x/index.ts';
import type { AssistantPlatform } from '#src/assistant/port.ts';
import { createConversationPlatform } from '#src/assistant/respond.ts';
import { systemClock, type Clock } from '#src/clock.ts';
import { accountsOn, addressOf, SOCIAL_PLATFORMS, type Account } from '#src/config/accounts.ts';
import type { Config } from '#src/config/config.ts';
import { recorded } from '#src/history/recorded.ts';
import type { Log } from '#src/log.ts';
import { TEXT_LIMITS } from '#src/operation/text/limit.ts';
import { withSelf } from '#src/social/author-self.ts';
import type { SocialPlatform } from '#src/social/social.ts';
import type { Store } from '#src/store/store.ts';
import type { RateLimits } from '#src/telemetry/rate-limits.ts';
import type { Platforms } from './clients.ts';
import { defaultsFirst } from './defaults-first.ts';
import { storedTokensIn } from './stored-tokens.ts';
import { partsOfX } from './spending.ts';

/** How often Fanfare stores the limits that the adapters learned since. */
const LEARN_EACH_MS = 10 * 60_000;
const LEARN_WITHIN_MS = 5_000;

/** The registry of adapters. Large adapters load on demand. */
export interface Adapters {
  readonly twitch: typeof twitch;
  readonly kick: typeof kick;
  readonly discord: typeof discord;
  readonly sandbox: typeof sandbox;
  readonly x: () => Promise<typeof x>;
  readonly bluesky: () => Promise<typeof bluesky>;
  readonly mastodon: () => Promise<typeof mastodon>;
}

interface PlatformParts {
  readonly log: Log;
  readonly store: Pick<
    Store,
    'standingMessages' | 'transcripts' | 'episodes' | 'sealedRows' | 'spentSums' | 'watchListOf' | 'rateBudgetsOf'
  >;
  readonly models: readonly AssistantPlatform[];
  /** Observes the rate limits of an account. */
  readonly watchRates?: RateLimits['watch'] | undefined;
  readonly clock: Clock;
}

/** Opens the adapters of all accounts of a configuration. The defaults of each client come first. */
export type PlatformsOf = (
  config: Config,
  parts: PlatformParts,
) => Promise<Omit<Platforms, 'discord'> & { readonly discord: readonly DiscordPlatform[] }>;

/** Opens accounts with the adapters of the registry. */
export function platformsWith(adapters: Adapters): PlatformsOf {
  return async (config, { log, store, models, watchRates, clock }) => {
    const { accounts, defaults, budgets } = config;
    const { standingMessages, transcripts, episodes } = store;
    const sharedRates = (account: string) => store.rateBudgetsOf?.(account);
    const ratesOf = (account: string) => (watchRates ? watchRates(account, sharedRates(account)) : sharedRates(account));
    const tokensOf = storedTokensIn(store, config, log);
    const streamingAccounts = [...accountsOn('twitch', accounts), ...accountsOn('kick', accounts)];
    const socialAccounts = accounts.filter(isSocial);
    const servers = defaultsFirst(accountsOn('discord', accounts), defaults.discord);
    // One bot serves all servers, and Discord limits the bot.
    const api = servers[0] && discordApi({ ...servers[0], clock, rateBudgets: store.rateBudgetsOf?.('discord') });
    const requestsOf = ({ account }: Account) => ({ pageRequests: budgets[account]?.requests });

    async function social(account: SocialAccount): Promise<SocialPlatform> {
      const shared = { tokens: tokensOf(account.account), clock, log, rateBudgets: ratesOf(account.account) };
      switch (account.platform) {
        case 'x':
          return (await adapters.x())({ ...account, url: account.apiUrl, ...partsOfX(account, { store, config, clock }), ...shared });
        case 'bluesky':
          return (await adapters.bluesky())({ ...account, ...requestsOf(account), ...shared });
        case 'mastodon':
          return (await adapters.mastodon())({ ...account, ...shared });
        case 'sandbox':
          return adapters.sandbox({ ...account, ...shared });
      }
    }

    return {
      streaming: defaultsFirst(streamingAccounts, defaults.streaming).map((one) => {
        const shared = { ...requestsOf(one), clock, log, rateBudgets: ratesOf(one.account) };
        return one.platform === 'twitch' ? adapters.twitch({ ...one, ...shared }) : adapters.kick({ ...one, ...shared });
      }),
      social: await Promise.all(defaultsFirst(socialAccounts, defaults.social).map(async (one) => withSelf(await social(one), clock))),
      discord: servers.map((one) => adapters.discord({ ...one, api, standingMessages, clock })),
      assistant: models.map((platform) => createConversationPlatform({ platform, transcripts, clock })),
      history: [recorded({ episodes, clock })],
    };
  };
}

type SocialAccount = Extract<Account, { readonly platform: (typeof SOCIAL_PLATFORMS)[number] }>;

function isSocial(account: Account): account is SocialAccount {
  return SOCIAL_PLATFORMS.some((platform) => platform === account.platform);
}

export interface LearnOptions {
  readonly platforms: Pick<Platforms, 'social'>;
  readonly config: Pick<Config, 'accounts'>;
  readonly store: Pick<Store, 'statedLimits'>;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Reads the limits of servers and stores the longest post. Until then, the lowest limit applies. */
export async function learnAbout({ platforms, config, store, log, signal }: LearnOptions): Promise<void> {
  const servers = new Map(config.accounts.map((account) => [account.account, addressOf(account)]));
  const learning = platforms.social.map(async ({ account, learn, textLimit }) => {
    try {
      await learn?.({ signal });
      const server = servers.get(account);
      const stated = learn && typeof textLimit === 'function' ? textLimit() : undefined;
      if (server !== undefined && stated && stated !== TEXT_LIMITS.mastodon) await store.statedLimits.keep(server, stated.most);
    } catch (error) {
      // The next write through the account asks again.
      if (!signal.aborted) log.debug({ account, error }, 'the limits of a server are not known yet');
    }
  });
  await Promise.all(learning);
}

/** Keeps the limits of servers up to date until `signal` aborts. An adapter asks once an hour. */
export async function keepLearning(options: LearnOptions): Promise<void> {
  const { signal } = options;
  while (!signal.aborted) {
    await learnAbout(options);
    await systemClock.sleep(LEARN_EACH_MS, signal).catch(() => undefined);
  }
}

/** Reads the limits of servers, but waits only a few seconds for them. */
export async function learnSoon(options: Omit<LearnOptions, 'signal'>): Promise<void> {
  const late = new AbortController();
  const timer = new AbortController();
  const learned = learnAbout({ ...options, signal: late.signal }).finally(() => timer.abort());
  void systemClock.sleep(LEARN_WITHIN_MS, timer.signal).then(
    () => late.abort(),
    () => undefined,
  );
  await learned;
}
