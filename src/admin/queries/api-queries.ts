import type { Message } from '#src/clients/chat/records.ts';
import type { DeliveryFilter } from '#src/engine/delivery/delivery-log.ts';
import type { AppEvent, EventBus } from '#src/engine/event-bus.ts';
import type { Listing } from '#src/clients/operation/listing.ts';
import type { DecisionFilter, DecisionLog } from '#src/rules/decision-log.ts';
import type { EpisodeLog, EpisodePhases } from '#src/rules/episode-log.ts';
import type { Rule } from '#src/rules/rule.ts';
import { readPauses } from '#src/admin/actions/pauses.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import type { Stream } from '#src/clients/streaming/records.ts';
import { lateModule } from '#src/errors.ts';
import type { AnnouncementCounts } from './announcement-counts.ts';
import { cached } from './cached.ts';
import { shownDeliveries, toDeliveryView, type DeliveryNames } from './deliveries.ts';
import { metricsOf, type MetricsOptions } from './metrics.ts';
import type { StatusOptions } from './installation-status.ts';
import type { LookupClients } from './lookup-clients.ts';
import { rulePage, type RulePage, type RulePageQuery } from './rule-page.ts';
import { readOutcomes } from './settled-decisions.ts';
import { brokenViews, FAILED_SHOWN_MS, rulesVersion, ruleViews, toDecisionView } from './rule-view.ts';
import type {
  AccountView,
  DatabaseState,
  DecisionView,
  DeliveryView,
  Metric,
  Readiness,
  RulesVersion,
  RuleView,
  ViewEvent,
} from './records.ts';
import type { StatusView } from './status-answer.ts';

/** The status is loaded when somebody asks for it: a start does not need it. */
const loadStatus = lateModule('the status', () => import('./installation-status.ts'));

const loadAnnouncementCounts = lateModule('the numbers of announcements', () => import('./announcement-counts.ts'));

/** The greatest age of platform data on the page. */
const FRESH_MS = 2000;
const STATUS_MS = 500;
const SELF_MS = 10 * 60_000;
/** A page of filtered deliveries that takes longer ends early. */
const SEARCH_MS = 15;

interface Slice {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

type DecisionQuery = Slice & Pick<DecisionFilter, 'rule' | 'outcome' | 'text'>;

interface DeliveryQuery extends Slice, Pick<DeliveryFilter, 'rule' | 'item' | 'account' | 'state' | 'text' | 'order'> {
  /** Deliveries that were decided at this instant or later. */
  readonly since?: Date | undefined;
  /** Deliveries that were decided before this instant. */
  readonly until?: Date | undefined;
}

/** The data of the page and the HTTP API. */
export interface ApiQueries {
  ready(): Readiness;
  accounts(): readonly AccountView[];
  /** The most watched streams, most watched first. */
  live(): Promise<readonly Stream[]>;
  /** The posts of the social accounts, newest first. */
  posts(): Promise<readonly Post[]>;
  /** The last messages of the channels that rules write to, newest first. */
  messages(): Promise<readonly Message[]>;
  rules(): Promise<readonly RuleView[]>;
  /** The published version of the rules; undefined if they come from a folder. */
  rulesVersion(): RulesVersion | undefined;
  /** A page of the rules and of the files with errors. */
  rulePage(query: RulePageQuery): Promise<RulePage>;
  /** Newest first. A foreign cursor is a `CursorError`. */
  decisions(query: DecisionQuery): Promise<Listing<DecisionView>>;
  /** The episodes of a rule, newest first. A foreign cursor is a `CursorError`. */
  episodes(query: Parameters<EpisodeLog['page']>[0]): Promise<Listing<EpisodePhases>>;
  /** By default, newest first. A search that takes long ends with a short page and a cursor. A foreign cursor is a `CursorError`. */
  deliveries(query: DeliveryQuery): Promise<Listing<DeliveryView>>;
  /** The work for people, the live streams and the next runs. */
  status(): Promise<StatusView>;
  metrics(): Promise<readonly Metric[]>;
  /** Whether the database answers. */
  database(): DatabaseState;
  /** Calls the listener at each change. Returns a function that ends the subscription. */
  subscribe(listener: (event: ViewEvent) => void): () => void;
}

/** A Discord account that the page reads messages from. */
interface MessageReader {
  getMessages(channel: string, options: { readonly signal: AbortSignal }): PromiseLike<{ readonly items: readonly Message[] }>;
}

/** The part of the metrics that does not come from the store. */
export type ProcessMetrics = Pick<
  MetricsOptions,
  'worker' | 'role' | 'database' | 'measured' | 'openSlots' | 'lanes' | 'moneyBudgets' | 'lastBackupMs'
>;

export interface ApiQueriesOptions extends StatusOptions {
  readonly clients: LookupClients & { readonly discord: ReadonlyMap<string, MessageReader> };
  readonly decisions: DecisionLog;
  readonly episodes: DeliveryNames['episodes'] & Pick<EpisodeLog, 'open' | 'page'>;
  readonly eventBus: Pick<EventBus, 'subscribe'>;
  /** What this process knows for its metrics. */
  readonly process: ProcessMetrics;
  /** Cancels reads of platforms. */
  readonly signal: AbortSignal;
}

/** The data of the page and the HTTP API, from the store, the rules and the platforms. */
export function createApiQueries(options: ApiQueriesOptions): ApiQueries {
  const { clients, registry, scheduler, decisions, deliveryLog, episodes, ruleStates, eventBus, channelProblems, clock, signal } = options;

  /** Caches `load` for a short time, or until an event of its kind. */
  function fresh<T>(kind: 'live' | 'posts' | 'messages', load: () => Promise<T>): () => Promise<T> {
    const result = cached(load, { forMs: FRESH_MS, clock });
    eventBus.subscribe((event) => event.kind === kind && result.forget());
    return () => result.get();
  }

  const undelivered = cached(() => deliveryLog.undelivered(clock.nowMs() - FAILED_SHOWN_MS), { forMs: FRESH_MS, clock });
  // After the event of a change, a view reads the rules once.
  eventBus.subscribe(({ kind }) => (kind === 'delivery' || kind === 'reset') && undelivered.forget());

  // Every change of a view asks for it, from each reader.
  const status = cached(async () => (await loadStatus()).installationStatus(options), { forMs: STATUS_MS, clock });

  const names = (): DeliveryNames => ({ rules: registry.now.rules, episodes });

  async function ruleViewOptions() {
    const [pauses, missing] = [await readPauses(ruleStates), await undelivered.get()];
    return { pauses, undelivered: missing, registry, scheduler, decisions, deliveryLog, episodes, channelProblems, nowMs: clock.nowMs() };
  }

  let announcementCounts: AnnouncementCounts | undefined;

  async function countAnnouncements(rules: readonly string[]): ReturnType<AnnouncementCounts['of']> {
    const { createAnnouncementCounts } = await loadAnnouncementCounts();
    announcementCounts ??= createAnnouncementCounts({ deliveryLog, clock });
    return announcementCounts.of(rules);
  }

  const timelines = [...clients.social.values()].map((social) => {
    // Platforms count requests for the profile.
    const self = cached(() => social.getUserInfo(undefined, { signal }), { forMs: SELF_MS, clock });
    return async () => (await social.getPosts(await self.get(), { signal })).items;
  });

  return {
    ready: options.ready,
    accounts: options.accounts,
    live: fresh('live', async () => {
      // The page shows one platform only: the top of all streams may cost many requests.
      const [bot] = clients.streaming.values();
      return bot ? (await bot.getTopStreams({ signal })).items : [];
    }),
    posts: fresh('posts', async () => newestFirst(await itemsOf(timelines.map((read) => read())))),
    messages: fresh('messages', async () => {
      const channels = new Set(registry.running.flatMap(channelsOf));
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
    rules: async () => [...(await ruleViews(registry.now.rules, await ruleViewOptions())), ...brokenViews(registry)],
    rulesVersion: () => rulesVersion(registry),
    rulePage: async (query) => rulePage(query, { ...(await ruleViewOptions()), countAnnouncements }),
    async decisions(query) {
      const { items, cursor } = await decisions.list(query);
      const withOutcome = await readOutcomes(items, deliveryLog);
      return { items: items.map((item) => toDecisionView(withOutcome(item))), cursor };
    },
    episodes: (query) => episodes.page(query),
    async deliveries({ since, until, ...query }) {
      const period = { sinceMs: since?.getTime(), untilMs: until?.getTime() };
      const { items, cursor } = await deliveryLog.list({ ...query, ...period, withinMs: SEARCH_MS });
      return { items: (await shownDeliveries(items, names())).map(toDeliveryView), cursor };
    },
    database: options.process.database,
    status: () => status.get(),
    metrics: () => {
      const { outages, accounts, ready } = options;
      return metricsOf({ decisions, deliveryLog, registry, ruleStates, outages, accounts, ready, clock, ...options.process });
    },
    subscribe: (listener) => eventBus.subscribe((event) => listener(toViewEvent(event))),
  };
}

function toViewEvent(event: AppEvent): ViewEvent {
  if (event.kind === 'delivery') return { kind: 'delivery', item: toDeliveryView(event.delivery) };
  return event.kind === 'decision' ? { kind: 'decision', item: toDecisionView(event.decision) } : event;
}

/** The items of all successful reads. Rejects if every read fails. */
export async function itemsOf<T>(reads: readonly Promise<readonly T[]>[]): Promise<readonly T[]> {
  const results = await Promise.allSettled(reads);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed && results.every(({ status }) => status === 'rejected')) throw failed.reason;
  return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
}

function newestFirst<T extends { readonly createdAt: Date }>(items: readonly T[]): readonly T[] {
  return items.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
}

const WRITES: ReadonlySet<string> = new Set(['discord.send', 'discord.put', 'discord.ask', 'discord.thread']);

/** The channels that a rule names without an expression. */
function channelsOf({ then, finally: last }: Rule): readonly string[] {
  const named = [...then, ...last].filter((step) => WRITES.has(step.do)).map((step) => step.with['channel']);
  return named.filter((channel) => typeof channel === 'string' && !channel.includes('${{')).map(String);
}
