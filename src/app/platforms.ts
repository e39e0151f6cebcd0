import type { AccountDefinition, AccountParts, AnyAccount } from '#adapters/account.ts';
import { feed } from '#adapters/feed/index.ts';
import { adapters } from '#adapters/index.ts';
import type { DiscordPlatform } from '#adapters/discord/index.ts';
import type { AssistantPlatform } from '#src/clients/assistant/port.ts';
import { createConversationPlatform } from '#src/clients/assistant/respond.ts';
import { systemClock, type Clock } from '#src/clock.ts';
import { accountsOn, addressOf, platformsFor, sandboxOriginOf, type Account } from '#src/config/accounts.ts';
import type { Config } from '#src/config/config.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { recorded } from '#src/clients/history/recorded.ts';
import type { RateBudgets } from '#src/http/rate-budgets.ts';
import type { Log } from '#src/log.ts';
import { zone } from '#src/rules/clocks/zone.ts';
import { withSelf } from '#src/clients/social/author-self.ts';
import type { Store } from '#src/store/store.ts';
import type { RateLimits } from '#src/admin/telemetry/rate-limits.ts';
import type { Platforms } from '#src/clients/clients.ts';
import type { PostDefaults } from '#src/clients/operation/post-defaults.ts';
import { postDefaultsOf } from './accounts.ts';
import { defaultsFirst } from './defaults-first.ts';
import { storedTokensIn } from './stored-tokens.ts';
import { spendingsIn } from './spending.ts';

/** How often Fanfare stores the limits that the adapters learned since. */
const LEARN_EACH_MS = 10 * 60_000;
const LEARN_WITHIN_MS = 5_000;

interface PlatformParts {
  readonly log: Log;
  readonly store: Pick<
    Store,
    | 'standingMessages'
    | 'commandUses'
    | 'botStatus'
    | 'memberStates'
    | 'transcripts'
    | 'episodes'
    | 'sentLog'
    | 'outages'
    | 'totals'
    | 'sealedRows'
    | 'spentSums'
    | 'watchListOf'
    | 'rateBudgetsOf'
  >;
  /** Observes the rate limits of an account. */
  readonly watchRates?: RateLimits['watch'] | undefined;
  readonly clock: Clock;
}

/** The adapters of all accounts. */
export interface OpenPlatforms extends Platforms {
  readonly discord: readonly DiscordPlatform[];
  readonly models: readonly AssistantPlatform[];
}

/** Opens the adapters of all accounts of a configuration. The defaults of each client come first. */
export async function platformsOf(config: Config, { log, store, watchRates, clock }: PlatformParts): Promise<OpenPlatforms> {
  const { accounts, defaults, budgets } = config;
  const { standingMessages, commandUses, memberStates, botStatus, transcripts, episodes, sentLog, outages, totals } = store;
  const tokensOf = storedTokensIn(store, config, log);
  const spendingOf = spendingsIn(store, config, clock);
  const sharedValues = new Map<string, unknown>();

  function partsOf(account: Account): AccountParts {
    const { account: name, platform } = account;
    return {
      clock,
      log,
      tokens: tokensOf(name),
      get rateBudgets() {
        const shared = store.rateBudgetsOf?.(name);
        return watchRates ? watchRates(name, shared) : shared;
      },
      pageRequests: budgets[name]?.requests,
      pageUsd: budgets[name]?.pageUsd,
      spending: spendingOf(account),
      watchList: store.watchListOf(name),
      standingMessages,
      commandUses,
      botStatus,
      memberStates,
      shared<T>(create: (rateBudgets: RateBudgets | undefined) => T): T {
        if (!sharedValues.has(platform)) sharedValues.set(platform, create(store.rateBudgetsOf?.(platform)));
        return sharedValues.get(platform) as T; // the adapter of a platform creates one kind of value
      },
    };
  }

  function openAll<P>(
    definitions: Readonly<Record<string, AccountDefinition<AnyAccount, P>>>,
    chosen: readonly Account[],
    first: readonly string[] | undefined,
  ): Promise<readonly P[]> {
    const opening = defaultsFirst(chosen, first).flatMap((one) => definitions[one.platform]?.open(one, partsOf(one)) ?? []);
    return Promise.all(opening);
  }

  function defaultsOfPosts(name: string): PostDefaults | undefined {
    const account = accounts.find((one) => one.account === name);
    return account && postDefaultsOf(account);
  }

  const streams = platformsFor('streaming').flatMap((platform): readonly Account[] => accountsOn(platform, accounts));
  const [streaming, social, discord, models] = await Promise.all([
    openAll(adapters.streaming, streams, defaults.streaming),
    openAll(adapters.social, accounts, defaults.social),
    openAll(adapters.discord, accounts, defaults.discord),
    openAll(adapters.assistant, accounts, defaults.assistant),
  ]);
  return {
    streaming,
    social: social.map((platform) => ({ ...withSelf(platform, clock), postDefaults: defaultsOfPosts(platform.account) })),
    discord,
    models,
    assistant: models.map((platform) => createConversationPlatform({ platform, transcripts, clock })),
    feed: [feed({ privateOrigins: config.feedOrigins, sandboxUrl: sandboxOriginOf(config), hasWebSub: config.feedWebSub, clock })],
    history: [recorded({ episodes, deliveries: sentLog, outages, totals, zone, catalogue, clock })],
  };
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
      if (server !== undefined && stated && !stated.varies) await store.statedLimits.keep(server, stated.most);
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
