import { join } from 'node:path';
import { discord as discordPlatform } from '#adapters/discord/index.ts';
import { sandbox as sandboxPlatform } from '#adapters/sandbox/index.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import { socialServer } from '#sandbox/social/server.ts';
import { createClients } from '#src/app/clients.ts';
import { createEngine } from '#src/app/engine.ts';
import { type Clock, systemClock } from '#src/clock.ts';
import { USUAL_DISCORD_SETTINGS } from '#src/config/discord-settings.ts';
import { startDiscord } from '#src/discord/start.ts';
import { createEventBus } from '#src/event-bus.ts';
import { createLog } from '#src/log.ts';
import { createPosting } from '#src/posting/create-posting.ts';
import { createAccountHealth } from '#src/queries/accounts.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { type DiscordSandbox, fetch, type InteractionView, startDiscordSandbox } from '../../support/discord-sandbox.ts';
import { memorySavedViews } from '../../support/memory-saved-views.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The machine's clock, ahead by as much as it is told. */
class ShiftedClock implements Clock {
  aheadMs = 0;
  nowMs = (): number => systemClock.nowMs() + this.aheadMs;
  sleep = (ms: number, signal?: AbortSignal): Promise<void> => systemClock.sleep(ms, signal);
}

/** A post as the social platform has it. */
interface PostThere {
  readonly id: string;
  readonly text: string;
  readonly replyTo?: string;
  readonly key?: string;
}

export interface PostingFixture extends AsyncDisposable {
  readonly discord: DiscordSandbox;
  /** Where the social platform is. */
  readonly world: Sandbox;
  readonly store: Store;
  readonly folder: string;
  /** What was logged. */
  readonly lines: readonly string[];
  /** Somebody who may post. */
  readonly owner: string;
  command(command: string, options?: Readonly<Record<string, string>>, more?: object): Promise<InteractionView>;
  click(view: InteractionView, label: string, more?: object): Promise<InteractionView>;
  choose(view: InteractionView, customId: string, values: readonly string[]): Promise<InteractionView>;
  write(opened: InteractionView, fields: Readonly<Record<string, string>>): Promise<InteractionView>;
  reload(view: InteractionView): Promise<InteractionView>;
  /** What stands on the social platform, oldest first. */
  posts(): Promise<readonly PostThere[]>;
  /** Has the social platform fail, as the sandbox's control API takes it. */
  fail(fault: object): Promise<void>;
  /** Ends all of that. */
  heal(): Promise<void>;
  /** Lets time go by for the bot. */
  later(ms: number): void;
  /** Ends the bot, and starts it over the same data. */
  restart(): Promise<void>;
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
  const folder = stack.use(temporaryFolder()).path;
  const world = stack.use(await startSandbox({ platforms: [socialServer] }));
  const discord = stack.use(await startDiscordSandbox());
  const clock = new ShiftedClock();
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: [], write: (line) => void lines.push(line), color: false });
  const { SANDBOX_URL: url = '', SANDBOX_TOKEN: token = '' } = world.environment;
  const apiUrl = discord.sandbox.environment['DISCORD_API_URL'] ?? '';
  const [owner] = discord.people;

  async function open() {
    const running = new AsyncDisposableStack();
    const stopping = new AbortController();
    const store = running.use(await openStore({ file: join(folder, 'fanfare.sqlite'), clock }));
    const eventBus = createEventBus();
    const platforms = accounts.map((account) => sandboxPlatform({ url, token, account, clock, log }));
    const chat = discordPlatform({ token: discord.token, guildId: discord.guildId, apiUrl, clock });
    const clients = createClients({ streaming: [], social: platforms, discord: [chat] }, clock);
    const health = createAccountHealth(() => undefined);
    const { deliveryEngine: engine } = await createEngine({
      rules: [],
      clients,
      store,
      eventBus,
      health,
      onUnanswered: () => undefined,
      clock,
      log,
    });
    const posting = createPosting({
      accounts: { social: { all: accounts, defaults: accounts.slice(0, 1) } },
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
        token: discord.token,
        apiUrl,
        servers: [{ account: 'discord', id: discord.guildId, zone }],
        settings: USUAL_DISCORD_SETTINGS,
        streaming: new Map(),
        social: new Map(),
        savedViews: memorySavedViews(),
        posting,
        clock,
        log,
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
      const { items } = (await response.json()) as { items: PostThere[] }; // the control API is ours
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
    later(ms) {
      clock.aheadMs += ms;
      now.deliveryEngine.wake();
    },
    async restart() {
      await now.close();
      now = await open();
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
