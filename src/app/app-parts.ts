import { createClients } from '#src/clients/clients.ts';
import { systemClock } from '#src/clock.ts';
import { sandboxOriginOf } from '#src/config/accounts.ts';
import { makeDataDirectory } from '#src/config/data-directory.ts';
import { connectDiscord } from '#src/discord/connect-discord.ts';
import { createLaterPosts } from '#src/engine/posting/later-posts.ts';
import { createReloads } from '#src/engine/rule-sets/reloads.ts';
import { runPlannedPauses } from '#src/engine/scheduler/planned-pauses.ts';
import { nothingDue, runTicker } from '#src/engine/scheduler/ticker.ts';
import { lateModule, loadLateModules } from '#src/errors.ts';
import { formatDuration } from '#src/rules/messages/format.ts';
import { shareEvents } from '#src/store/postgres/share-events.ts';
import { isReachable } from '#src/web/site.ts';
import { probePort, startWeb } from '#src/web/web.ts';
import { accountWatch } from './account-watch.ts';
import { accountsOf } from './accounts.ts';
import { apiOperations } from './api-operations.ts';
import { botParts } from './bot-parts.ts';
import { checkChannels } from './check-channels.ts';
import { createEngine } from './engine.ts';
import { createFirstPolls } from './first-polls.ts';
import { openActions } from './open-actions.ts';
import { openCard } from './open-card.ts';
import { metricsOf, observeProcess, recordAccounts, watchDatabase } from './observe-process.ts';
import { openAssistant } from './open-assistant.ts';
import { openPosting, picturesOfPosts } from './open-posting.ts';
import { keepLists } from './keep-lists.ts';
import { keepNotified } from './keep-notified.ts';
import { openLists } from './open-lists.ts';
import { openPacedPolls } from './open-paced-polls.ts';
import { openOperatorQueries, openApiQueries } from './open-queries.ts';
import { working } from './parts.ts';
import { keepLearning, platformsOf } from './platforms.ts';
import { publishChanges } from './publish-changes.ts';
import { openRuleSource } from './rule-source.ts';
import { checkState, openRunningState } from './running-state.ts';
import { saveCollections, saveMemory } from './save-memory.ts';
import type { settings } from './settings.ts';
import { shareHealth } from './share-health.ts';
import { noteUsedUp, spendingsIn } from './spending.ts';
import { openNotifications } from './open-notifications.ts';
import { openWebhookReceiver } from './open-webhook-receiver.ts';

/** What a part gives to the parts after it. */
type GivenBy<Part extends (given: never) => unknown> = Awaited<ReturnType<Part>>;
type AfterSandbox = GivenBy<typeof settings> & GivenBy<typeof sandbox>;
type AfterState = AfterSandbox & GivenBy<typeof state>;
type AfterAccounts = AfterState & GivenBy<typeof observation> & GivenBy<typeof accounts>;
type AfterEngine = AfterAccounts & GivenBy<typeof rules> & GivenBy<typeof engine>;
type AfterBot = AfterEngine & GivenBy<typeof operators> & GivenBy<typeof bot>;

/** The configuration with the accounts of the sandbox, which runs in this process if there are no others. */
export async function sandbox({ configured }: GivenBy<typeof settings>) {
  await using stack = new AsyncDisposableStack();
  await makeDataDirectory(configured);
  await probePort(configured);
  // Most installations run without the sandbox.
  const inside = configured.sandbox === 'inside' ? await (await import('./sandbox.ts')).startInside(configured, stack) : undefined;
  const open = stack.move();
  return { config: configured, ...inside, [Symbol.asyncDispose]: () => open.disposeAsync() };
}

/** The store, and the health of its database. */
export async function state({ config, sandboxClock, worker, role, eventBus, log }: AfterSandbox) {
  const database = watchDatabase({ eventBus, clock: systemClock, log });
  const opened = await openRunningState({ config, localClock: sandboxClock, worker, role, database, log });
  return { database, ...opened, store: publishChanges(opened.store, eventBus) };
}

/** The work with the other processes on the same state. */
export function membership({ cluster, keepState, store, eventBus, restart, clock, log, signal }: AfterState) {
  if (cluster) shareEvents({ eventBus, notifications: cluster.notifications, ...store, clock, log });
  return working(keepState(signal).catch(restart.reject));
}

/** The measurements and traces of the process. */
export function observation({ worker, config, clock, log }: AfterState) {
  return observeProcess({ worker, config, clock, log });
}

/** The clients of the accounts. */
export async function accounts({
  config,
  store,
  measurements,
  eventBus,
  observers,
  health,
  cluster,
  clock,
  log,
}: AfterState & GivenBy<typeof observation>) {
  const spendingOf = spendingsIn(store, config, clock);
  const platforms = await platformsOf(config, { log, store, watchRates: measurements.rateLimits.watch, clock });
  const [assistant] = platforms.models;
  // Most installations have no search for GIFs.
  const gifs = config.giphy && (await import('#adapters/giphy/index.ts')).giphy({ ...config.giphy, clock });
  const schedule = createLaterPosts({ posts: store.posts, eventBus, wake: observers.stored, clock });
  const clients = createClients(platforms, clock, { assistant, gifs, keep: { transcripts: store.transcripts, schedule } });
  const watchAccount = accountWatch({ health, store, cluster, clock, log });
  if (!cluster) await noteUsedUp(config.accounts, spendingOf, health);
  return { spendingOf, platforms, assistant, clients, watchAccount };
}

/** The loaded rules. */
export async function rules({ config, store, eventBus, cluster, dedicatedProcess, clock, log }: AfterState) {
  if (dedicatedProcess) saveMemory();
  const named = accountsOf(config, await store.statedLimits.all());
  const lists = openLists({ config, store, log });
  const ruleSource = await openRuleSource({
    config,
    store,
    accounts: named,
    listSource: lists.listSource,
    eventBus,
    notifications: cluster?.notifications,
    clock,
    log,
  });
  return { ruleSource, registry: ruleSource.registry, paced: openPacedPolls({ accounts: named, store, clock, log }), ...lists };
}

/** The engine that polls, evaluates and sends, and the posts of people, which it also sends. */
export async function engine(given: AfterAccounts & GivenBy<typeof rules>) {
  const { config, store, registry } = given;
  const { scheduler, deliveryEngine, runSlots } = await createEngine({
    ...given,
    rules: registry.running,
    withFiles: picturesOfPosts({ config, store }),
  });
  return { scheduler, deliveryEngine, runSlots, posting: openPosting({ ...given, deliveryEngine }) };
}

/** The views and the actions of operators. */
export function operators(given: AfterEngine) {
  const { platforms, registry, listSource, status, store, clock } = given;
  const openAccess = lateModule('the sign-in', async () => (await loadAccess()).accessIn(store, clock));
  const channels = checkChannels({ ...given, servers: platforms.discord, rules: () => registry.running, lists: listSource });
  const shown = { ...given, servers: platforms.discord, discord: status, channelProblems: channels.diagnosticsOf };
  return { channels, shown, openAccess, controls: { ...openOperatorQueries(shown), ...openActions({ ...shown, openAccess }) } };
}

/** The bot in Discord. */
export function bot(given: AfterEngine & GivenBy<typeof operators>) {
  const { worker, duties, store, cluster, assistant, observers, clock, signal } = given;
  const firstPolls = createFirstPolls({ clock, signal });
  const discord = connectDiscord({
    ...store,
    ...given,
    ...botParts(given),
    after: firstPolls.wait,
    conversations: store,
    postActions: given.controls,
    storedServers: store.servers,
    renderCard: openCard(given),
    conversation: assistant && openAssistant({ ...given, platform: assistant }),
    cluster: cluster && {
      process: worker,
      isAlone: async () => (await cluster.workers.live()).filter(({ role }) => role !== 'worker').length <= 1,
      shards: duties.gateway ? cluster.store.discord.shards : undefined,
      http: duties.web,
      handled: cluster.store.discord.handled,
    },
  });
  observers.add(discord);
  return { firstPolls, takeInteraction: discord.takeInteraction, ...working(discord.closed) };
}

/** The page and the HTTP API. */
export async function page(given: AfterBot) {
  const { config, duties, shown, openAccess, takeInteraction, eventBus, clock, log, signal } = given;
  const { discordSignIn, databaseUrl } = config;
  const needsPerson = duties.web && isReachable(config) && !discordSignIn;
  // With PostgreSQL, a person may be about to use the token that another process printed.
  const firstRun = needsPerson ? await (await openAccess()).offerFirstRun({ isOnlyProcess: databaseUrl === undefined }) : undefined;
  const web = await startWeb({
    host: config.host,
    port: config.port,
    allowedHosts: config.allowedHosts,
    sandboxOrigin: sandboxOriginOf(config),
    apiQueries: openApiQueries({ ...shown, eventBus, process: metricsOf(given), signal }),
    operations: apiOperations(given),
    isPageServed: duties.web,
    openAccess,
    openDiscord: discordSignIn && (async () => (await loadAccess()).openDiscordSignIn(discordSignIn, clock)),
    trustedProxies: config.trustedProxies,
    takeInteraction,
    openWebhookReceiver: duties.web ? openWebhookReceiver(given) : undefined,
    openNotifications: duties.web ? openNotifications(given) : undefined,
    clock,
    log,
    signal,
  });
  return { url: web.url, firstRun, [Symbol.asyncDispose]: () => web[Symbol.asyncDispose]() };
}

/** Everything that runs until the end: reloads, checks, ticks, deliveries and posts. */
export async function work(given: AfterBot) {
  const { config, registry, scheduler, store, deliveryEngine, channels, firstPolls, restart, eventBus, clock, log, signal } = given;
  const reloads = createReloads({
    registry,
    scheduler,
    store,
    onRetired: deliveryEngine.stored,
    onChange() {
      eventBus.publish({ kind: 'rules' });
      channels.rulesChanged();
    },
    clock,
    log,
  });
  await reloads.begin();
  const always = [
    keepLearning(given),
    keepLists(given),
    keepNotified(given),
    ...(given.cluster ? [shareHealth(given)] : []),
    firstPolls.wait().then(() => channels.run(signal)),
    given.ruleSource.run(reloads, signal),
    firstPolls.wait().then(() => Promise.all([loadLateModules(), recordAccounts(given), checkState(given)])),
    ...(given.dedicatedProcess ? [firstPolls.wait().then(() => saveCollections({ clock, signal }))] : []),
  ];
  const ticks = runTicker({
    clock,
    ...(given.duties.works ? { onTick: scheduler.tick, dueTimes: scheduler.dueTimes } : nothingDue()),
    onFirstTick: firstPolls.ended,
    onSetBack(byMs) {
      log.warn({ by: formatDuration(byMs) }, 'the clock was set back: Fanfare restarts and continues from now');
      restart.resolve();
    },
    log,
    signal,
  });
  if (!given.duties.works) return { reloads, ...working(...always, ticks) };
  // Most installations have no webhooks.
  const webhooks = config.webhooks.length > 0 ? (await import('./open-webhooks.ts')).openWebhooks(given) : undefined;
  return {
    reloads,
    ...working(
      ...always,
      ...(webhooks ? [webhooks.run(signal)] : []),
      deliveryEngine.run(signal),
      given.runSlots(signal),
      given.posting.run(signal),
      runPlannedPauses({ ruleStates: store.ruleStates, eventBus, onBegun: deliveryEngine.stored, clock, log, signal }),
      ticks,
    ),
  };
}

/** An installation on the loopback needs no authentication. */
const loadAccess = lateModule('the sign-in', () => import('./open-access.ts'));
