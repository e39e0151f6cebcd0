import { createPostActions } from '#src/admin/actions/post-actions.ts';
import { failureTextIn } from '#src/app/failure-text-in.ts';
import { join } from 'node:path';
import { discord as discordPlatform } from '#adapters/discord/index.ts';
import { sandbox as sandboxPlatform } from '#adapters/sandbox/index.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import { socialServer } from '#sandbox/social/server.ts';
import { createClients } from '#src/clients/clients.ts';
import { createEngine } from '#src/app/engine.ts';
import { type Clock, systemClock } from '#src/clock.ts';
import { startDiscord } from '#src/discord/start.ts';
import { createEventBus } from '#src/engine/event-bus.ts';
import { createLog } from '#src/log.ts';
import { createPosting } from '#src/engine/posting/create-posting.ts';
import { createAccountHealth } from '#src/admin/queries/accounts.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { type DiscordSandbox, fetch, type InteractionView, startDiscordSandbox } from '../../support/discord-sandbox.ts';
import { untilNothingIsDue } from '../../support/settled.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startOptions } from '../start-options.ts';

/** The system clock plus a shift. */
class ShiftedClock implements Clock {
  aheadMs = 0;
  nowMs = (): number => systemClock.nowMs() + this.aheadMs;
  sleep = (ms: number, signal?: AbortSignal): Promise<void> => systemClock.sleep(ms, signal);
}

/** A post on the social platform. */
interface SocialPost {
  readonly id: string;
  readonly text: string;
  readonly replyTo?: string;
  readonly key?: string;
}

export interface PostingFixture extends AsyncDisposable {
  readonly discord: DiscordSandbox;
  /** The simulated social platform. */
  readonly world: Sandbox;
  readonly store: Store;
  readonly folder: string;
  /** The log. */
  readonly lines: readonly string[];
  /** A member with the permission to post. */
  readonly owner: string;
  command(command: string, options?: Readonly<Record<string, string>>, more?: object): Promise<InteractionView>;
  click(view: InteractionView, label: string, more?: object): Promise<InteractionView>;
  choose(view: InteractionView, customId: string, values: readonly string[]): Promise<InteractionView>;
  write(opened: InteractionView, fields: Readonly<Record<string, string>>): Promise<InteractionView>;
  reload(view: InteractionView): Promise<InteractionView>;
  /** The posts on the social platform, oldest first. */
  posts(): Promise<readonly SocialPost[]>;
  /** Orders a fault of the social platform. */
  fail(fault: object): Promise<void>;
  /** Clears the faults. */
  heal(): Promise<void>;
  /** Resolves when the bot has sent all due deliveries. */
  readonly settled: () => Promise<void>;
  /** Advances the clock of the bot. */
  later(ms: number): void;
  /** Restarts the bot with the same data, and by default with the same accounts. */
  restart(connected?: readonly string[]): Promise<void>;
}

interface OpenPostingOptions {
  readonly accounts?: readonly string[];
  readonly zone?: string;
  readonly queueTimes?: readonly string[];
}

/** The bot with `/post` on the sandbox: real adapters, store, deliveryEngine and discord.js. */
export async function openPosting({
  accounts = ['sandbox', 'club'],
  zone = 'Europe/Berlin',
  queueTimes = ['09:00', '18:00'],
}: OpenPostingOptions = {}): Promise<PostingFixture> {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder({ inMemory: true })).path;
  const world = stack.use(await startSandbox({ platforms: [socialServer] }));
  const discord = stack.use(await startDiscordSandbox());
  const clock = new ShiftedClock();
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: [], write: (line) => void lines.push(line), color: false });
  const { SANDBOX_URL: url = '', SANDBOX_TOKEN: token = '' } = world.environment;
  const apiUrl = discord.sandbox.environment['DISCORD_API_URL'] ?? '';
  const [owner] = discord.people;

  async function open(connected: readonly string[] = accounts) {
    const running = new AsyncDisposableStack();
    const stopping = new AbortController();
    const store = running.use(await openStore({ file: join(folder, 'fanfare.sqlite'), clock }));
    const eventBus = createEventBus();
    const platforms = connected.map((account) => sandboxPlatform({ url, token, account, clock, log }));
    const chat = discordPlatform({ token: discord.token, guildId: discord.guildId, apiUrl, clock });
    const clients = createClients({ streaming: [], social: platforms, discord: [chat] }, clock);
    const health = createAccountHealth(() => undefined);
    const { deliveryEngine: engine } = await createEngine({
      rules: [],
      clients,
      store,
      eventBus,
      health,
      clock,
      log,
    });
    const posting = createPosting({
      accounts: { social: { all: connected, defaults: connected.slice(0, 1) } },
      clients,
      store,
      eventBus,
      wake: () => engine.wake(),
      dataDirectory: folder,
      queueTimes,
      pictureHosts: new Set([new URL(apiUrl).host]),
      clock,
      log,
    });
    const work = [engine.run(stopping.signal), posting.run(stopping.signal)];
    running.defer(async () => void (await Promise.all(work)));
    const bot = running.use(
      await startDiscord({
        ...startOptions(discord, lines),
        servers: [{ account: 'discord', id: discord.guildId, zone }],
        posting,
        postActions: createPostActions({ posting, failureText: failureTextIn(store), auditLog: store.auditLog }),
        clock,
        signal: stopping.signal,
      }),
    );
    running.defer(() => stopping.abort());
    await bot.ready;
    return { store, deliveryEngine: engine, close: () => running.disposeAsync() };
  }

  let now = await open();
  stack.defer(() => now.close());

  return {
    discord,
    world,
    get store() {
      return now.store;
    },
    folder,
    lines,
    owner,
    command: (command, options = {}, more = {}) => discord.interact({ user: owner, channel: 'general', command, options, ...more }),
    click: (view, click, more = {}) => discord.interact({ user: owner, message: view.message?.id, click, ...more }),
    choose: (view, customId, values) => discord.interact({ user: owner, message: view.message?.id, customId, values }),
    write: (opened, fields) => discord.interact({ user: owner, modal: opened.id, fields }),
    reload: (view) => discord.order(`/discord/interactions/${view.id}`, undefined),
    async posts() {
      const response = await fetch(`${world.url}/control/posts`);
      const { items } = (await response.json()) as { items: SocialPost[] }; // the control API is ours
      return items;
    },
    async fail(fault) {
      const response = await fetch(`${world.url}/control/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ platform: 'social', route: '/createPost', ...fault }),
      });
      if (!response.ok) throw new Error(await response.text());
    },
    async heal() {
      await fetch(`${world.url}/control/faults`, { method: 'DELETE' });
    },
    settled: () => untilNothingIsDue(now.store, clock.nowMs()),
    later(ms) {
      clock.aheadMs += ms;
      now.deliveryEngine.wake();
    },
    async restart(connected) {
      await now.close();
      now = await open(connected);
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
