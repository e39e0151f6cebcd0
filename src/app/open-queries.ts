import type { LivePolls } from '#src/admin/queries/polling.ts';
import type { Clock } from '#src/clock.ts';
import { accountsOn } from '#src/config/accounts.ts';
import type { Config } from '#src/config/config.ts';
import type { Coverage } from '#src/engine/coverage.ts';
import type { EventBus } from '#src/engine/event-bus.ts';
import type { PacedPolls } from '#src/engine/planner/paced-polls.ts';
import { accountViews, type AccountHealth } from '#src/admin/queries/accounts.ts';
import { createOperatorQueries, type OperatorQueries } from '#src/admin/queries/operator-queries.ts';
import { errorsByFile } from '#src/engine/rule-sets/broken-files.ts';
import { readinessOf } from '#src/admin/queries/readiness.ts';
import type { DiscordStatus } from '#src/admin/queries/records.ts';
import { createApiQueries, type ApiQueries, type ApiQueriesOptions } from '#src/admin/queries/api-queries.ts';
import type { RuleRegistry } from '#src/engine/rule-sets/rule-registry.ts';
import type { Scheduler } from '#src/engine/scheduler/scheduler.ts';
import type { Store } from '#src/store/store.ts';
import { listsOrNone, type ListSource } from '#src/rules/lists.ts';
import type { Clients } from '#src/clients/clients.ts';
import { lateModule } from '#src/errors.ts';
import { lateWebhooksOf } from './late-webhooks.ts';

interface QueriesOptions extends Pick<ApiQueriesOptions, 'channelProblems'> {
  readonly config: Config;
  readonly clients: Clients;
  readonly registry: RuleRegistry;
  readonly scheduler: Scheduler;
  readonly store: Store;
  readonly listSource: ListSource;
  readonly coverage: Coverage;
  readonly paced: PacedPolls;
  /** The current state of the connection to Discord. */
  readonly discord: DiscordStatus;
  readonly health: AccountHealth;
  readonly clock: Clock;
}

const loadExplain = lateModule('the explanations', () => import('./explain.ts'));

export function openOperatorQueries({
  config,
  registry,
  scheduler,
  store,
  discord,
  health,
  channelProblems,
  listSource,
  coverage,
  paced,
  clock,
}: Omit<QueriesOptions, 'clients'>): OperatorQueries {
  const live = async (rule: string): Promise<LivePolls> => {
    const plans = await scheduler.plansOf([rule]);
    return { coverage, resting: plans.get(rule)?.resting, waitOf: (id) => paced.pace.waitOf(id) };
  };
  const explained = { config, registry, store, listSource, live, clock };
  return createOperatorQueries({
    registry,
    scheduler,
    store,
    servers: config.servers.map(({ id }) => id),
    lateWebhooks: lateWebhooksOf({ config, store, clock }),
    configuredAccounts: config.accounts,
    hasGateway: config.discord.gateway,
    lists: () => listsOrNone(listSource),
    accounts: () => accountViews({ accounts: config.accounts, isSandbox: config.sandbox !== 'none', discord, health }),
    async explain(rule) {
      const { explainWith } = await loadExplain();
      return explainWith(explained)(rule);
    },
    async polling(rule) {
      const { pollingWith } = await loadExplain();
      return pollingWith(explained)(rule);
    },
    channelProblems,
    clock,
  });
}

interface OpenApiQueriesOptions extends Omit<QueriesOptions, 'coverage' | 'paced'>, Pick<ApiQueriesOptions, 'process' | 'signal'> {
  readonly eventBus: EventBus;
}

/** The data of the page and the HTTP API. */
export function openApiQueries({
  config,
  clients,
  registry,
  scheduler,
  store,
  eventBus,
  discord,
  health,
  channelProblems,
  process,
  clock,
  signal,
}: OpenApiQueriesOptions): ApiQueries {
  const bots = accountsOn('discord', config.accounts);
  return createApiQueries({
    clients,
    registry,
    scheduler,
    decisions: store.decisions,
    deliveryLog: store.deliveryLog,
    episodes: store.episodes,
    outages: store.outages,
    notifiers: store.notifiers,
    ruleStates: store.ruleStates,
    lateWebhooks: lateWebhooksOf({ config, store, clock }),
    eventBus,
    ready: () => {
      const accountProblems = bots.flatMap(({ account }) => health.problemOf(account) ?? []);
      const [stuck, running, nowMs] = [scheduler.stuck(), registry.running.length, clock.nowMs()];
      const unloaded = registry.now.rules.length === 0 ? errorsByFile(registry.now.diagnostics).size : 0;
      return readinessOf({ discord, accountProblems, stuck, running, unloaded, database: process.database(), nowMs });
    },
    accounts: () => accountViews({ accounts: config.accounts, isSandbox: config.sandbox !== 'none', discord, health }),
    channelProblems,
    process,
    clock,
    signal,
  });
}
