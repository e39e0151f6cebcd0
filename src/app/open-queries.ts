import type { Clock } from '#src/clock.ts';
import { accountsOn } from '#src/config/accounts.ts';
import type { Config } from '#src/config/config.ts';
import type { EventBus } from '#src/event-bus.ts';
import type { Log } from '#src/log.ts';
import { accountViews, type AccountHealth } from '#src/queries/accounts.ts';
import { createOperatorQueries, type OperatorQueries } from '#src/queries/operator-queries.ts';
import { errorsByFile } from '#src/registry/broken-files.ts';
import { readinessOf } from '#src/queries/readiness.ts';
import type { DiscordStatus } from '#src/queries/records.ts';
import { createViews, type Views, type ViewsOptions } from '#src/queries/views.ts';
import type { RuleRegistry } from '#src/registry/rule-registry.ts';
import type { Scheduler } from '#src/scheduler/scheduler.ts';
import type { Store } from '#src/store/store.ts';
import { accountsOf } from './accounts.ts';
import type { Clients } from './clients.ts';
import { explainWith } from './explain.ts';
import { previewRule } from '#src/simulation/preview/preview-rule.ts';
import { runTests, type RunTestsOptions } from '#src/simulation/test-files.ts';
import { previewAccounts, type PreviewedServer } from './preview-accounts.ts';

interface QueriesOptions extends Pick<ViewsOptions, 'channelProblems'> {
  readonly config: Config;
  readonly clients: Clients;
  /** The Discord servers, whose permissions previews check. */
  readonly servers?: readonly PreviewedServer[] | undefined;
  readonly registry: RuleRegistry;
  readonly scheduler: Scheduler;
  readonly store: Store;
  /** The connection to Discord, read at each query. */
  readonly discord: () => DiscordStatus;
  readonly health: AccountHealth;
  readonly clock: Clock;
}

/** The queries of operators. */
export function openOperatorQueries({
  config,
  clients,
  servers,
  registry,
  scheduler,
  store,
  discord,
  health,
  channelProblems,
  clock,
  log,
}: QueriesOptions & { readonly log: Log }): OperatorQueries {
  return createOperatorQueries({
    registry,
    scheduler,
    store,
    servers: config.servers.map(({ id }) => id),
    configuredAccounts: config.accounts,
    hasGateway: config.discord.gateway,
    accounts: () => accountViews({ accounts: config.accounts, isSandbox: config.sandbox !== 'none', discord: discord(), health }),
    explain: explainWith({ config, registry, store, clock }),
    preview: (rule, items) => previewRule(rule, { accounts: previewAccounts(clients, servers), items, clock, log }),
    test: (rules) => runTests(rules, { diagnostics: [], accounts: accountsOf(config), read: testsIn(registry, store.ruleVersions) }),
    channelProblems,
    clock,
  });
}

/** Reads test files from the published version of the rules; undefined if the rules come from a folder. */
function testsIn(registry: Pick<RuleRegistry, 'version'>, versions: Store['ruleVersions']): RunTestsOptions['read'] {
  const { version } = registry;
  if (!versions || !version) return undefined;
  return async (file) => {
    const text = await versions.text(version.number, file);
    return text === undefined ? undefined : { text };
  };
}

interface OpenViewsOptions extends QueriesOptions, Pick<ViewsOptions, 'process' | 'signal'> {
  readonly eventBus: EventBus;
}

/** The views of the page and the HTTP API. */
export function openViews({
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
}: OpenViewsOptions): Views {
  const bots = accountsOn('discord', config.accounts);
  return createViews({
    clients,
    registry,
    scheduler,
    decisions: store.decisions,
    deliveryLog: store.deliveryLog,
    episodes: store.episodes,
    ruleStates: store.ruleStates,
    eventBus,
    ready: () => {
      const accountProblems = bots.flatMap(({ account }) => health.problemOf(account) ?? []);
      const [stuck, running, nowMs] = [scheduler.stuck(), registry.running.length, clock.nowMs()];
      const unloaded = registry.now.rules.length === 0 ? errorsByFile(registry.now.diagnostics).size : 0;
      return readinessOf({ discord: discord(), accountProblems, stuck, running, unloaded, database: process.database(), nowMs });
    },
    accounts: () => accountViews({ accounts: config.accounts, isSandbox: config.sandbox !== 'none', discord: discord(), health }),
    channelProblems,
    process,
    clock,
    signal,
  });
}
