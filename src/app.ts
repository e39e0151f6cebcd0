import { adapters, loadSignIns } from '#adapters/index.ts';
import { openAssistant } from './app/open-assistant.ts';
import { createAccountHealth } from '#src/queries/accounts.ts';
import { accountsOf } from './app/accounts.ts';
import { checkChannels } from './app/check-channels.ts';
import { createClients } from './app/clients.ts';
import { openConfig } from '#src/config/open-config.ts';
import { connectDiscord, type DiscordConnection } from './app/connect-discord.ts';
import { createControls } from '#src/controls/controls.ts';
import { makeDataDirectory } from '#src/config/data-directory.ts';
import { createFirstPolls } from './app/first-polls.ts';
import { defaultsFirst } from './app/defaults-first.ts';
import type { Doctor } from '#src/doctor/doctor.ts';
import { createEngine } from './app/engine.ts';
import { createEventBus } from '#src/event-bus.ts';
import { keepLearning, platformsWith } from './app/platforms.ts';
import { createLaterPosts } from '#src/posting/later-posts.ts';
import { filesOfAll, openPosting } from './app/open-posting.ts';
import { brokenFiles, type BrokenFile } from '#src/registry/broken-files.ts';
import { createReloads } from '#src/registry/reloads.ts';
import { openRuleSource } from './app/rule-source.ts';
import { findIn } from '#src/registry/rule-registry.ts';
import { POST_RULE } from '#src/posting/posts.ts';
import type { SignIn } from '#src/sign-in/sign-in.ts';
import { saveMemory } from './app/save-memory.ts';
import { observeProcess, watchDatabase } from './app/observe-process.ts';
import { shareEvents } from './app/share-events.ts';
import { noteUsedUp, spendingsIn } from './app/spending.ts';
import { dutiesOf, type Role } from './app/roles.ts';
import { openRunningState } from './app/running-state.ts';
import type { Previewer } from '#src/queries/preview-view.ts';
import { openOperatorQueries, openViews } from './app/open-queries.ts';
import { openQuestions } from './app/open-questions.ts';
import type { AssistantPlatform } from '#src/assistant/port.ts';
import { systemClock, type Clock } from '#src/clock.ts';
import { accountsOn, sandboxOriginOf, secretsOf } from '#src/config/accounts.ts';
import type { Config } from '#src/config/config.ts';
import { isOn } from '#src/config/is-on.ts';
import { loadLateModules } from '#src/late-module.ts';
import { createLog } from '#src/log.ts';
import { formatDiagnostic } from '#src/rules/diagnostic.ts';
import { offRules, type OffRule } from '#src/rules/messages/off-rules.ts';
import { formatDuration } from '#src/rules/messages/format.ts';
import { newWorkerId, workerLog } from '#src/config/worker-id.ts';
import { runTicker } from '#src/scheduler/ticker.ts';
import { probePort, startWeb } from '#src/web/web.ts';

const platformsOf = platformsWith(adapters);

export interface AppOptions {
  /** The role of this process; `all` by default. */
  readonly role?: Role | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Receives each log line. */
  readonly write: (line: string) => void;
  readonly color: boolean;
}

/** A running Fanfare. */
export interface App extends AsyncDisposable {
  /** The address of the page. */
  readonly url: string;
  /** Whether a sandbox provides the accounts, in this process or in another one. */
  readonly sandbox: Config['sandbox'];
  /** The address of the sandbox in this process. */
  readonly sandboxUrl?: string | undefined;
  /** The ids of the running rules. */
  readonly rules: readonly string[];
  /** The rules that are off. */
  readonly off: readonly OffRule[];
  /** The rule files with errors, and the number of errors in each. */
  readonly out: readonly BrokenFile[];
  /** The formatted diagnostics of the rule files. */
  readonly diagnostics: readonly string[];
  /** Reloads the rule files; resolves with true if a rule changed. */
  readonly reload: () => Promise<boolean>;
  /**
   * Resolves when the clock was set back. The state in memory has later instants, so Fanfare has to restart. Rejects with `ConfigError`
   * if a newer Fanfare migrated the database.
   */
  readonly clockSetBack: Promise<void>;
}

/** Starts all parts: rules run, the delivery engine sends, the bot answers in Discord, and the page is served. */
export async function startApp({ environment, write, color, role = 'all' }: AppOptions): Promise<App> {
  const configured = openConfig(environment);
  const duties = dutiesOf(role, configured);
  const worker = configured.worker ?? newWorkerId();
  const log = workerLog(createLog({ level: configured.logLevel, secrets: secretsOf(configured), write, color }), worker, environment);
  await using stack = new AsyncDisposableStack();
  await makeDataDirectory(configured);
  await probePort(configured);
  const inside = configured.sandbox === 'inside' ? await (await loadSandbox()).startInside(configured, stack) : undefined;
  const config = inside?.config ?? configured;

  const stopping = new AbortController();
  const { signal } = stopping;
  const eventBus = createEventBus();
  const health = createAccountHealth(() => eventBus.publish({ kind: 'accounts' }));
  const database = watchDatabase({ eventBus, clock: systemClock, log });
  const { store, clock, cluster } = stack.use(await openRunningState({ config, worker, role, database, log }));
  const spendingOf = spendingsIn(store, config, clock);
  const lanes = cluster && (() => cluster.lanes.held());
  const observed = stack.use(
    await observeProcess({ worker, role, config, spendingOf, database, lanes, scheduler: () => scheduler, clock, log }),
  );
  const { models, assistant } = modelsOf(config, clock);
  const { watch: watchRates } = observed.measurements.rateLimits;
  const platforms = await platformsOf(config, { log, store, models, watchRates, clock });
  const gifs = config.giphy && adapters.giphy({ ...config.giphy, clock });
  const schedule = createLaterPosts({ posts: store.posts, eventBus, wake: () => engine.wake(), clock });
  const clients = createClients(platforms, clock, { assistant, gifs, keep: { transcripts: store.transcripts, schedule } });
  // Parts that run until the end. The store closes after them, even if the start fails.
  const { promise: clockSetBack, resolve: startAnew, reject: end } = Promise.withResolvers<void>();
  // The caller waits for it after the start only.
  clockSetBack.catch(() => undefined);
  const work: Promise<void>[] = cluster ? [cluster.run(signal).catch(end)] : [];
  if (cluster) shareEvents({ eventBus, notifications: cluster.notifications, ...store, clock, log });
  stack.defer(async () => {
    stopping.abort();
    await Promise.all(work);
  });

  await noteUsedUp(config.accounts, spendingOf, health);
  saveMemory();
  const accounts = accountsOf(config, await store.statedLimits.all());
  const ruleSource = await openRuleSource({ config, store, accounts, notifications: cluster?.notifications, clock, log });
  const { registry } = ruleSource;
  const firstPolls = createFirstPolls({ clock, signal });
  const {
    scheduler,
    deliveryEngine: engine,
    runSlots,
  } = await createEngine({
    rules: registry.running,
    clients,
    store,
    eventBus,
    health,
    ...observed,
    cluster,
    withFiles: filesOfAll({ config, store }),
    onUnanswered: (question) => discord.endQuestion(question),
    clock,
    log,
  });
  const posting = openPosting({ config, clients, store, deliveryEngine: engine, eventBus, clock, log });
  const talk = assistant && openAssistant({ platform: assistant, config, clients, registry, store, posting, clock, log });
  const channels = checkChannels({ servers: platforms.discord, rules: () => registry.running, health, eventBus, clock, log });
  const shown = {
    config,
    clients,
    servers: platforms.discord,
    registry,
    scheduler,
    store,
    discord: () => discord,
    health,
    channelProblems: channels.diagnosticsOf,
    clock,
  };
  const discord: DiscordConnection = connectDiscord({
    after: firstPolls.wait,
    config,
    clients,
    savedViews: store.savedViews,
    conversations: store,
    conversation: talk,
    posting,
    controls: {
      ...openOperatorQueries({ ...shown, log }),
      ...createControls({
        findRule: findIn(registry),
        isPost: (rule) => rule === POST_RULE,
        ruleStates: store.ruleStates,
        deliveries: store.deliveries,
        clock,
        scheduler,
        deliveryEngine: engine,
        eventBus,
      }),
    },
    questions: openQuestions({ deliveries: store.deliveries, engine }),
    gatewayLock: store.gatewayLock,
    cluster: cluster && {
      process: worker,
      shards: duties.gateway ? cluster.store.discord.shards : undefined,
      http: duties.web,
      handled: cluster.store.discord.handled,
    },
    onChange: () => eventBus.publish({ kind: 'accounts' }),
    clock,
    log,
    signal,
  });
  work.push(discord.closed);
  const views = openViews({ ...shown, eventBus, process: observed.metrics, signal });
  const { takeInteraction } = discord;
  const web = stack.use(
    await startWeb({
      host: config.host,
      port: config.port,
      allowedHosts: config.allowedHosts,
      sandboxOrigin: sandboxOriginOf(config),
      views,
      isPageServed: duties.web,
      takeInteraction,
      clock,
      log,
      signal,
    }),
  );

  const reloads = createReloads({
    registry,
    scheduler,
    store,
    onRetired: () => engine.wake(),
    onChange: () => {
      eventBus.publish({ kind: 'rules' });
      channels.rulesChanged();
    },
    clock,
    log,
  });
  await reloads.begin();
  work.push(
    keepLearning({ platforms, config, store, log, signal }),
    firstPolls.wait().then(() => channels.run(signal)),
    firstPolls.wait().then(loadLateModules),
    ruleSource.run(reloads, signal),
  );
  if (duties.works) {
    work.push(
      engine.run(signal),
      runSlots(signal),
      posting.run(signal),
      runTicker({
        clock,
        onTick: () => scheduler.tick(signal).finally(firstPolls.ended),
        onSetBack(byMs) {
          log.warn({ by: formatDuration(byMs) }, 'the clock was set back: Fanfare restarts and continues from now');
          startAnew();
        },
        log,
        signal,
      }),
    );
  } else firstPolls.ended();
  // Runs first at the end, so that all parts stop at once.
  stack.defer(() => stopping.abort());

  const stopAll = stack.move();
  return {
    url: web.url,
    sandbox: config.sandbox,
    sandboxUrl: inside?.url,
    rules: registry.running.map(({ id }) => id),
    off: offRules(registry.now.rules, (rule) => isOn(rule, config)),
    out: brokenFiles(registry.now),
    diagnostics: registry.now.diagnostics.map((diagnostic) => formatDiagnostic(diagnostic, { color })),
    reload: reloads.reload,
    clockSetBack,
    [Symbol.asyncDispose]: () => stopAll.disposeAsync(),
  };
}

/** Opens the previewer of `fanfare preview`. */
export async function openPreviewer(options: Omit<AppOptions, 'color' | 'role'>): Promise<Previewer> {
  const { openPreviewer: open } = await import('./app/open-previewer.ts');
  return open({ ...options, platformsOf, modelsOf });
}

/** Opens the sign-in of `fanfare auth`. */
export async function openSignIn(options: Omit<AppOptions, 'color'>): Promise<SignIn> {
  const { openSignIn: open } = await import('./app/open-sign-in.ts');
  return open({ ...options, platformsOf, signIns: await loadSignIns() });
}

/** Opens the checks of `fanfare doctor`. */
export async function openDoctor(options: Omit<AppOptions, 'color'>): Promise<Doctor> {
  const { openDoctor: open } = await import('./app/open-doctor.ts');
  return open({ ...options, platformsOf, signIns: await loadSignIns() });
}

/** Most installations run without the sandbox. */
const loadSandbox = () => import('./app/sandbox.ts');

/** The models of all assistants, and the default one. */
function modelsOf(
  { accounts, defaults }: Config,
  clock: Clock,
): {
  readonly models: readonly AssistantPlatform[];
  readonly assistant: AssistantPlatform | undefined;
} {
  const models = defaultsFirst(accountsOn('assistant', accounts), defaults.assistant).map((one) => adapters.openai({ ...one, clock }));
  return { models, assistant: models[0] };
}
