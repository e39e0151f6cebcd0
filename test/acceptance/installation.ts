import { processMetrics } from '../support/process-metrics.ts';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import { discord as discordAdapter } from '#adapters/discord/index.ts';
import { kick as kickAdapter } from '#adapters/kick/index.ts';
import { sandbox as sandboxAdapter } from '#adapters/sandbox/index.ts';
import { twitch as twitchAdapter } from '#adapters/twitch/index.ts';
import { createAccountHealth } from '#src/admin/queries/accounts.ts';
import { accountsOf } from '#src/app/accounts.ts';
import { createClients, type Platforms } from '#src/clients/clients.ts';
import { createEngine, type Engine } from '#src/app/engine.ts';
import { createEventBus } from '#src/engine/event-bus.ts';
import { createReloads, type Reloads } from '#src/engine/rule-sets/reloads.ts';
import { openRegistry } from '#src/app/open-registry.ts';
import { openApiQueries } from '#src/app/open-queries.ts';
import { accountsOn, secretsOf } from '#src/config/accounts.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { zone } from '#src/rules/clocks/zone.ts';
import { recorded } from '#src/clients/history/recorded.ts';
import { createLog } from '#src/log.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { startSandbox, type Sandbox } from '#sandbox/index.ts';
import type { WorldOrder } from '#sandbox/world/world.ts';
import type { SocialPlatform } from '#src/clients/social/social.ts';
import { NO_LISTS } from '#src/rules/lists.ts';
import { openStore, type Store } from '#src/store/store.ts';
import type { StreamingPlatform } from '#src/clients/streaming/bot.ts';
import { startWeb } from '#src/web/web.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { noOperations } from '../support/operations.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { truthOf, type SandboxTruth } from './sandbox-truth.ts';
import { observedPlatforms, type ObservedPlatformsOptions } from './observed-platforms.ts';

const Rules = z.object({ items: z.array(z.object({ diagnostics: z.array(z.object({ severity: z.string(), message: z.string() })) })) });

/** Without work for this time, the installation waits for the clock. */
const STILL_MS = 20;
/** Without work for this time, the installation also gives up the processor. */
const SPIN_MS = 2;
/** The clock then advances by this step. */
const STEP_MS = 200;

export interface InstallationOptions {
  /** Sources of rules. */
  readonly rules: readonly string[];
  /** The time of the clock at the start. */
  readonly at?: string | undefined;
  /** The streaming accounts; by default those of the sandbox. */
  readonly streaming?: ((clock: ManualClock) => readonly StreamingPlatform[]) | undefined;
  /** The social accounts; by default the account of the sandbox. */
  readonly social?: ((sandbox: Sandbox, clock: ManualClock) => Promise<readonly SocialPlatform[]> | readonly SocialPlatform[]) | undefined;
  /** The accounts that rules can name, if they differ from the configuration. */
  readonly accounts?: ((usual: Accounts) => Accounts) | undefined;
  readonly onDone?: ObservedPlatformsOptions['onDone'];
  /** The platforms of the sandbox; by default those of the demo. */
  readonly played?: ObservedPlatformsOptions['platforms'];
}

/** Fanfare as `src/app/app.ts` composes it, with a manual clock, the servers of the sandbox and a SQLite file. */
export interface Installation extends SandboxTruth, AsyncDisposable {
  readonly clock: ManualClock;
  readonly sandbox: Sandbox;
  /** The log lines. */
  readonly lines: readonly string[];
  /** The store of the running program. */
  readonly store: Store;
  /** The URL of the page. */
  readonly url: string;
  start(): Promise<void>;
  /** Stops the program as Ctrl+C does. */
  stop(): Promise<void>;
  /** Advances the clock with a tick every `tickSeconds`. */
  pass(seconds: number, tickSeconds?: number): Promise<void>;
  /** Waits for work that can wait for the clock. */
  during<T>(work: Promise<T>): Promise<T>;
  /** Orders a person of the world. Returns the id of the current stream. */
  order(order: WorldOrder): string;
  /** Writes or overwrites a rule file. */
  write(file: string, source: string): void;
  remove(file: string): void;
  reload(): Promise<boolean | undefined>;
}

interface Running {
  readonly store: Store;
  readonly engine: Engine;
  readonly reloads: Reloads;
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts an installation. */
export async function install({ rules, at, streaming, social, accounts, onDone, played }: InstallationOptions): Promise<Installation> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder({ inMemory: true }));
  const clock = new ManualClock(at);
  let traffic = 0;
  const platforms = observedPlatforms({ onDone, onTraffic: (change) => (traffic += change), platforms: played });
  const sandbox = stack.use(await startSandbox({ clock, platforms }));
  const config = configOfEnvironment({ ...sandbox.environment, FANFARE_DATA: folder.path, FANFARE_RULES: join(folder.path, 'rules') });
  const fileOf = (name: string): string => join(config.rulesDirectory, `${name}.yaml`);
  mkdirSync(config.rulesDirectory);
  for (const source of rules) writeFileSync(fileOf(/^id: (\S+)$/m.exec(source)?.[1] ?? ''), source);
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: secretsOf(config), write: (line) => void lines.push(line), color: false });
  const named = accounts?.(accountsOf(config));

  /** Does the same as `startApp`, without ticks, the Discord bot and the folder watcher. */
  async function open(): Promise<Running> {
    await using opening = new AsyncDisposableStack();
    const stopping = new AbortController();
    const { signal } = stopping;
    const store = opening.use(await openStore({ file: join(folder.path, 'fanfare.sqlite'), clock }));
    const clients = createClients(await platformsOf(store), clock);
    const eventBus = createEventBus();
    const health = createAccountHealth(() => eventBus.publish({ kind: 'accounts' }));
    const registry = await openRegistry({
      config,
      accounts: named,
      stored: await store.ruleSources.load(),
      nowMs: () => clock.nowMs(),
    });
    const engine = await createEngine({
      rules: registry.running,
      clients,
      store,
      eventBus,
      health,
      clock,
      log,
    });
    const { scheduler } = engine;
    const discord = { state: 'connected', closed: Promise.resolve(), unanswered: () => undefined } as const;
    const apiQueries = openApiQueries({
      process: processMetrics,
      config,
      clients,
      registry,
      scheduler,
      store,
      listSource: { current: () => Promise.resolve(NO_LISTS) },
      eventBus,
      discord,
      health,
      clock,
      signal,
    });
    const web = await startWeb({ host: '127.0.0.1', port: 0, apiQueries, operations: noOperations, clock, log, signal });
    const reloads = createReloads({
      registry,
      scheduler,
      store,
      onRetired: () => engine.deliveryEngine.wake(),
      onChange: () => eventBus.publish({ kind: 'rules' }),
      clock,
      log,
    });
    await reloads.begin();
    const sending = engine.deliveryEngine.run(signal);
    opening.defer(async () => {
      stopping.abort();
      await Promise.all([sending, reloads.settled(), web[Symbol.asyncDispose]()]);
    });
    const opened = opening.move();
    return { store, engine, reloads, url: web.url, stop: () => opened.disposeAsync() };
  }

  async function platformsOf({ standingMessages, episodes, sentLog, outages, totals }: Store): Promise<Platforms> {
    const { accounts: all } = config;
    const [[twitch], [kick], [discord], [socialServer]] = [
      accountsOn('twitch', all),
      accountsOn('kick', all),
      accountsOn('discord', all),
      accountsOn('sandbox', all),
    ];
    if (!twitch || !kick || !discord || !socialServer) throw new Error('the sandbox plays them all');
    return {
      streaming: streaming?.(clock) ?? [twitchAdapter({ ...twitch, clock, log }), kickAdapter({ ...kick, clock, log })],
      social: social ? await social(sandbox, clock) : [sandboxAdapter({ ...socialServer, clock, log })],
      discord: [discordAdapter({ ...discord, guildId: discord.server, standingMessages, clock })],
      history: [recorded({ episodes, deliveries: sentLog, outages, totals, zone, catalogue, clock })],
    };
  }

  async function during<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const end = (): void => void (isOver = true);
    work.then(end, end);
    for (let stillMs = performance.now(); !isOver;) {
      await turn();
      if (traffic > 0) stillMs = performance.now();
      const passedMs = performance.now() - stillMs;
      // Most work ends sooner. Other processes can use the rest of the time.
      if (passedMs > SPIN_MS) await sleep(1);
      if (passedMs < STILL_MS) continue;
      await clock.advance(STEP_MS);
      stillMs = performance.now();
    }
    return work;
  }

  /** Whether a delivery can be sent now. */
  async function isAtWork({ store: { deliveries } }: Running): Promise<boolean> {
    for (const account of await deliveries.accounts()) {
      if ((await deliveries.due(account, { nowMs: clock.nowMs(), limit: 1 })).length > 0) return true;
    }
    return false;
  }

  async function untilIdle(now: Running): Promise<void> {
    for (const startMs = performance.now(); await isAtWork(now);) {
      now.engine.deliveryEngine.wake();
      for (let ticks = 0; ticks < 20 || traffic > 0; ticks++) await turn();
      if (performance.now() - startMs > SPIN_MS) await sleep(1);
    }
  }

  async function tick(now: Running): Promise<void> {
    await during(now.engine.scheduler.tick());
    await during(untilIdle(now));
  }

  let running: Running | undefined = await open();
  const wrong = await problemsOf(running.url);
  if (wrong.length > 0) throw new Error(JSON.stringify(wrong));
  const present = (): Running => {
    if (!running) throw new Error('it is stopped');
    return running;
  };
  async function stop(): Promise<void> {
    const last = running;
    running = undefined;
    if (last) await during(last.stop());
  }
  stack.defer(stop);

  const opened = stack.move();
  return {
    ...truthOf(sandbox),
    clock,
    sandbox,
    lines,
    during,
    stop,
    get store() {
      return present().store;
    },
    get url() {
      return present().url;
    },
    async start() {
      running ??= await open();
    },
    async pass(seconds, tickSeconds = 5) {
      const startMs = clock.nowMs();
      for (let passed = tickSeconds; passed <= seconds; passed += tickSeconds) {
        // The work can have advanced the clock.
        await clock.advance(Math.max(0, startMs + passed * 1000 - clock.nowMs()));
        if (running) await tick(running);
      }
    },
    order: (order) => sandbox.world.order(order, clock.nowMs())?.id ?? '',
    write: (name, source) => writeFileSync(fileOf(name), source),
    remove: (name) => rmSync(fileOf(name)),
    reload: () => during(present().reloads.reload()),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** The diagnostics of rules on the page. */
async function problemsOf(url: string): Promise<readonly unknown[]> {
  const { body } = await request(`${url}/api/rules`);
  const { items } = Rules.parse(await body.json());
  return items.flatMap(({ diagnostics }) => diagnostics.filter(({ severity }) => severity === 'error'));
}
