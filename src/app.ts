import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { adapters, loadSignIns } from '#adapters/index.ts';
import { openAssistant } from './app/assistant/open-assistant.ts';
import { createAccountHealth } from './app/account-health.ts';
import { accountsOf } from './app/accounts.ts';
import { accountViews } from './app/account-views.ts';
import { createChannelChecks } from './app/channel-checks/channel-checks.ts';
import { createClients } from './app/clients.ts';
import { openConfig } from './app/configuration/open-config.ts';
import { connectDiscord } from './app/connect-discord.ts';
import { createControls } from './app/controls/controls.ts';
import { makeDataDirectory, warnOfLoss } from './app/data-directory.ts';
import { defaultsFirst } from './app/defaults-first.ts';
import type { Doctor } from './app/doctor/doctor.ts';
import { createEngine } from './app/engine.ts';
import { createFeed } from './app/feed.ts';
import { keepLearning, learnSoon, platformsWith } from './app/platforms.ts';
import { createLaterPosts } from './app/posting/later-posts.ts';
import { openPosting } from './app/posting/open-posting.ts';
import { filesOut, type FileOut } from './app/reload/files-out.ts';
import { createReloads } from './app/reload/reloads.ts';
import { openRuleBook } from './app/reload/rule-book.ts';
import { watchFolder } from './app/reload/watch-folder.ts';
import { glimpseSandbox, withSandbox } from './app/sandboxes.ts';
import type { SigningIn } from './app/signing-in/signing-in.ts';
import { spareMemory } from './app/spare-memory.ts';
import { noteUsedUp, spendingsIn } from './app/spendings.ts';
import { createPreviewer, type Previewer } from './app/trial/previewer.ts';
import { createViews } from './app/views.ts';
import type { AssistantPlatform } from '#src/assistant/port.ts';
import { readAnswerId } from '#src/chat/answer-ids.ts';
import { systemClock } from '#src/clock.ts';
import { accountsOn, addressOf, secretsOf } from '#src/config/accounts.ts';
import type { Config } from '#src/config/config.ts';
import { createLog } from '#src/log.ts';
import { printProblem } from '#src/rules/print-problem.ts';
import { durationText } from '#src/rules/wording/duration-text.ts';
import { untilSetBack } from '#src/scheduler/set-back.ts';
import { runTicker } from '#src/scheduler/ticker.ts';
import { openStore } from '#src/store/store.ts';
import { probePort, startWeb } from '#src/web/web.ts';

const platformsOf = platformsWith(adapters);

/** The stored state may be a little ahead: a slot that follows another within the same millisecond is one later. */
const SHOWN_AHEAD_MS = 1_000;

export interface AppOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Gets each line of the log. */
  readonly write: (line: string) => void;
  readonly color: boolean;
}

/** Fanfare, running. */
export interface App extends AsyncDisposable {
  /** Where its page is. */
  readonly url: string;
  /** Whether the sandbox plays: in this process, or elsewhere. */
  readonly sandbox: Config['sandbox'];
  /** The ids of the rules that run. */
  readonly rules: readonly string[];
  /** The rule files that cannot be used, and how much is wrong with each. */
  readonly out: readonly FileOut[];
  /** What is wrong with rule files, for people. */
  readonly problems: readonly string[];
  /** Goes on with the rules as their files are now; resolves with whether anything is other than before. */
  readonly reload: () => Promise<boolean>;
  /** Resolves when the clock was set back: what is held in memory counts on later instants, so Fanfare has to be started anew. */
  readonly clockSetBack: Promise<void>;
}

/** Starts everything: after it, rules run, steps are delivered, Discord is answered and the page is there. */
export async function startApp({ environment, write, color }: AppOptions): Promise<App> {
  const given = openConfig(environment);
  const log = createLog({ level: given.logLevel, secrets: secretsOf(given), write, color });
  await using stack = new AsyncDisposableStack();
  await makeDataDirectory(given);
  await probePort(given);
  const config = given.sandbox === 'inside' ? await withSandbox(given, stack) : given;

  const stopping = new AbortController();
  const { signal } = stopping;
  const clock = systemClock;
  const feed = createFeed();
  const health = createAccountHealth(() => feed.publish({ kind: 'accounts' }));
  const file = join(config.dataDirectory, 'fanfare.sqlite');
  const store = stack.use(await openStore({ file, clock, onEmpty: () => warnOfLoss(config, log) }));
  const aheadMs = await store.storedClock.continueFromNow();
  if (aheadMs >= SHOWN_AHEAD_MS)
    log.warn(
      { ahead: durationText(aheadMs) },
      'the clock was set back since the last run: rules continue from now, and repeat no announcement',
    );
  const restored = await store.restores.begin();
  if (restored)
    log.warn(restored, 'the state was restored from a copy: what is new since the copy is looked for on the platforms before it is sent');
  const { models, assistant } = modelsOf(config);
  const platforms = await platformsOf(config, { log, store, models });
  const gifs = config.giphy && adapters.giphy({ ...config.giphy, clock });
  const schedule = createLaterPosts({ posts: store.posts, feed, wake: () => outbox.wake(), clock });
  const clients = createClients(platforms, clock, { assistant, gifs, keep: { transcripts: store.transcripts, schedule } });
  // What is at work until the end; the store is closed behind it, also where the start fails half-way.
  const work: Promise<void>[] = [];
  stack.defer(async () => {
    stopping.abort();
    await Promise.all(work);
  });

  await noteUsedUp(config.accounts, spendingsIn(store, config, clock), health);
  spareMemory();
  const accounts = accountsOf(config, await store.statedLimits.all());
  const book = await openRuleBook({ config, accounts, stored: await store.ruleSources.load(), nowMs: () => clock.nowMs() });
  const { scheduler, outbox } = await createEngine({
    rules: book.running,
    clients,
    store,
    feed,
    health,
    onUnanswered: (question) => discord.endQuestion(question),
    clock,
    log,
  });
  const posting = openPosting({ config, clients, store, outbox, feed, clock, log });
  const talk = assistant && openAssistant({ platform: assistant, config, clients, book, store, posting, clock, log });
  const discord = connectDiscord({
    config,
    clients,
    keptViews: store.keptViews,
    conversations: store,
    talk,
    posting,
    controls: createControls({
      config,
      clients,
      book,
      scheduler,
      outbox,
      store,
      feed,
      accounts: () => accountViews(config, { discord, health }),
      clock,
      log,
    }),
    questions: {
      read: readAnswerId,
      onAnswer: async (key, answer) => (await outbox.answer(key, answer)) !== undefined,
    },
    answerer: store.answerer,
    onChange: () => feed.publish({ kind: 'accounts' }),
    clock,
    log,
    signal,
  });
  work.push(discord.closed);
  const channels = createChannelChecks({
    servers: platforms.discord,
    rules: () => book.running,
    onChange: () => feed.publish({ kind: 'rules' }),
    clock,
    log,
  });
  const views = createViews({ config, clients, book, scheduler, store, feed, discord, health, channels, clock, signal });
  const { takeInteraction } = discord;
  const web = stack.use(
    await startWeb({
      host: config.host,
      port: config.port,
      allowedHosts: config.allowedHosts,
      sandboxOrigin: sandboxOriginOf(config),
      views,
      takeInteraction,
      clock,
      log,
      signal,
    }),
  );

  const reloads = createReloads({
    book,
    scheduler,
    store,
    onRetired: () => outbox.wake(),
    onChange: () => {
      feed.publish({ kind: 'rules' });
      channels.rulesChanged();
    },
    clock,
    log,
  });
  await reloads.begin();
  work.push(
    keepLearning({ platforms, config, store, log, signal }),
    outbox.run(signal),
    posting.run(signal),
    channels.run(signal),
    runTicker({ clock, onTick: () => scheduler.tick(signal), log, signal }),
    watchFolder({ path: config.rulesDirectory, onChange: reloads.reload, clock, signal }).then(reloads.settled),
  );
  const { promise: clockSetBack, resolve: startAnew } = Promise.withResolvers<void>();
  const clockWatched = untilSetBack({ clock, signal }).then((byMs) => {
    if (byMs === undefined) return;
    log.warn({ by: durationText(byMs) }, 'the clock was set back: Fanfare starts anew and continues from now');
    startAnew();
  });
  work.push(clockWatched);
  // Goes first at the end: everybody stops at once.
  stack.defer(() => stopping.abort());

  const stopAll = stack.move();
  return {
    url: web.url,
    sandbox: config.sandbox,
    rules: book.running.map(({ id }) => id),
    out: filesOut(book.now),
    problems: book.now.problems.map((problem) => printProblem(problem, { color })),
    reload: reloads.reload,
    clockSetBack,
    [Symbol.asyncDispose]: () => stopAll.disposeAsync(),
  };
}

/** Opens what `fanfare preview` reads with; without any account, the sandbox that plays here, else one of its own. */
export async function openPreviewer({ environment, write }: Omit<AppOptions, 'color'>): Promise<Previewer> {
  await using stack = new AsyncDisposableStack();
  const given = openConfig(environment);
  const clock = systemClock;
  const { config, isRunning } = given.sandbox === 'inside' ? await glimpseSandbox(given, stack) : { config: given, isRunning: true };
  const log = createLog({ level: 'warn', secrets: secretsOf(config), write, color: false });
  const file = join(config.dataDirectory, 'fanfare.sqlite');
  const kept = stack.use(await openStore(existsSync(file) ? { file, clock } : { clock }));
  // What is asked of an assistant leaves nothing behind.
  const { transcripts } = stack.use(await openStore({ clock }));
  const { models, assistant } = modelsOf(config);
  const platforms = await platformsOf(config, { log, store: { ...kept, transcripts }, models });
  const clients = createClients(platforms, clock, { assistant, keep: { transcripts } });
  await learnSoon({ platforms, config, store: kept, log });
  const previewer = createPreviewer({ config, clients, clock, log });
  const opened = stack.move();
  return { ...previewer, isOnItsOwn: !isRunning, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Opens what `fanfare auth` signs accounts in with. */
export async function openSigningIn(options: Omit<AppOptions, 'color'>): Promise<SigningIn> {
  const { openSigningIn: open } = await import('./app/signing-in/open-signing-in.ts');
  return open({ ...options, platformsOf, signIns: await loadSignIns() });
}

/** Opens what `fanfare doctor` looks at. */
export async function openDoctor(options: Omit<AppOptions, 'color'>): Promise<Doctor> {
  const { openDoctor: open } = await import('./app/doctor/open-doctor.ts');
  return open({ ...options, platformsOf, signIns: await loadSignIns() });
}

/** The sandbox that provides all accounts; undefined: real accounts. */
function sandboxOriginOf({ sandbox, accounts: [account] }: Config): string | undefined {
  return sandbox === 'none' || !account ? undefined : new URL(addressOf(account)).origin;
}

/** The models of all assistants, and the one that is asked where nobody says which. */
function modelsOf({ accounts, defaults }: Config): {
  readonly models: readonly AssistantPlatform[];
  readonly assistant: AssistantPlatform | undefined;
} {
  const clock = systemClock;
  const models = defaultsFirst(accountsOn('assistant', accounts), defaults.assistant).map((one) => adapters.openai({ ...one, clock }));
  return { models, assistant: models[0] };
}
