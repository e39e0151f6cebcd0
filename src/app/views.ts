import type { Clock } from '#src/clock.ts';
import { accountsOn } from '#src/config/accounts.ts';
import type { Config } from '#src/config/config.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Scheduler } from '#src/scheduler/scheduler.ts';
import type { Store } from '#src/store/store.ts';
import type { Post } from '#src/social/records/post.ts';
import type { SocialAsync } from '#src/social/social.ts';
import type { Views } from '#src/web/views.ts';
import type { AccountHealth } from './account-health.ts';
import { accountViews } from './account-views.ts';
import type { ChannelChecks } from './channel-checks/channel-checks.ts';
import type { Clients } from './clients.ts';
import type { DiscordConnection } from './connect-discord.ts';
import type { Feed } from './feed.ts';
import { itemsOf } from './items-of.ts';
import { latestDeliveries } from './latest-deliveries.ts';
import { metricsOf } from './metrics.ts';
import type { RuleBook } from './reload/rule-book.ts';
import { remembered } from './remembered.ts';
import { readinessOf } from './readiness.ts';
import { brokenViews, ruleView, undeliveredView } from './rule-view.ts';
import { toDecisionView, toDeliveryView } from './view-records.ts';

/** How old what a platform said may be on the page. */
const FRESH_MS = 2000;
const SELF_MS = 10 * 60_000;
/** For so long a failed delivery is shown first. */
const FAILED_SHOWN_MS = 24 * 3_600_000;

export interface ViewsOptions {
  readonly config: Config;
  readonly clients: Clients;
  readonly book: RuleBook;
  readonly scheduler: Scheduler;
  readonly store: Store;
  readonly feed: Feed;
  readonly discord: DiscordConnection;
  readonly health: AccountHealth;
  readonly channels?: Pick<ChannelChecks, 'problemsOf'> | undefined;
  readonly clock: Clock;
  /** Ends what is still being read. */
  readonly signal: AbortSignal;
}

/** What the page and the API show, read from where it is. */
export function createViews({
  config,
  clients,
  book,
  scheduler,
  store,
  feed,
  discord,
  health,
  channels,
  clock,
  signal,
}: ViewsOptions): Views {
  /** Read again when something of its kind is published, and otherwise when it is old. */
  function fresh<T>(kind: 'live' | 'posts' | 'messages', load: () => Promise<T>): () => Promise<T> {
    const answer = remembered(load, { forMs: FRESH_MS, clock });
    feed.subscribe((event) => event.kind === kind && answer.forget());
    return () => answer.get();
  }

  const undelivered = remembered(() => store.deliveryLog.undelivered(clock.nowMs() - FAILED_SHOWN_MS), { forMs: FRESH_MS, clock });

  const timelines = [...clients.social.values()].map((social) => ownPosts(social, { clock, signal }));

  return {
    ready: () => {
      const { problem, fault } = accountsOn('discord', config.accounts).map(({ account }) => health.troubleOf(account))[0] ?? {};
      const refusal = fault === 'unauthorized' ? problem : undefined;
      return readinessOf({ discord, refusal, stuck: scheduler.stuck(), running: book.running.length, nowMs: clock.nowMs() });
    },
    accounts: () => accountViews(config, { discord, health }),
    live: fresh('live', async () => {
      // One platform is enough to see the world by: on another, the top of all streams may cost many requests.
      const [bot] = clients.streaming.values();
      return bot ? (await bot.getTopStreams({ signal })).items : [];
    }),
    posts: fresh('posts', async () => newestFirst(await itemsOf(timelines.map((read) => read())))),
    messages: fresh('messages', async () => {
      const channels = new Set(book.running.flatMap(channelsOf));
      const reads = [...clients.discord.values()].flatMap((chat) => [...channels].map((channel) => chat.getMessages(channel, { signal })));
      const lists = await Promise.all(
        reads.map((read) =>
          read.then(
            ({ items }) => items,
            () => [],
          ),
        ),
      );
      return newestFirst(lists.flat());
    }),
    async rules() {
      const [paused, missing] = [await store.ruleStates.paused(), await undelivered.get()];
      const views = await Promise.all(
        book.now.rules.map((rule) =>
          ruleView(rule, { pause: paused.get(rule.id), undelivered: missing, book, scheduler, store, channels }),
        ),
      );
      return [...views, ...brokenViews(book)];
    },
    async decisions(query) {
      const { items, cursor } = await store.decisions.list(query);
      return { items: items.map(toDecisionView), cursor };
    },
    async deliveries(query) {
      const { items, cursor } = await store.deliveryLog.list(query);
      return { items: items.map(toDeliveryView), cursor };
    },
    latestDeliveries: (limit) => latestDeliveries(store.deliveryLog, { limit, failedSinceMs: clock.nowMs() - FAILED_SHOWN_MS }),
    undelivered: async () => undeliveredView(await undelivered.get()),
    metrics: () => metricsOf({ store, book }),
    subscribe: (listener) => feed.subscribe(listener),
  };
}

/** Reads what an account posted; as whom it is signed in is asked seldom, for platforms count that. */
function ownPosts(
  social: SocialAsync,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): () => Promise<readonly Post[]> {
  const self = remembered(() => social.getUserInfo(undefined, { signal }), { forMs: SELF_MS, clock });
  return async () => (await social.getPosts(await self.get(), { signal })).items;
}

function newestFirst<T extends { readonly createdAt: Date }>(items: readonly T[]): readonly T[] {
  return items.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
}

const WRITES: ReadonlySet<string> = new Set(['discord.send', 'discord.put', 'discord.ask', 'discord.thread']);

/** The channels that a rule names as they are: those that are shown. */
function channelsOf({ then, finally: last }: Rule): readonly string[] {
  const named = [...then, ...last].filter((step) => WRITES.has(step.do)).map((step) => step.with['channel']);
  return named.filter((channel) => typeof channel === 'string' && !channel.includes('${{')).map(String);
}
