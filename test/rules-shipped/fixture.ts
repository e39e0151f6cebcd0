import { readFileSync } from 'node:fs';
import { setTimeout as timer } from 'node:timers/promises';
import { fetch } from 'undici';
import { z } from 'zod';
import { discord as discordAdapter } from '#adapters/discord/index.ts';
import { openai as openaiAdapter } from '#adapters/openai/index.ts';
import { sandbox as sandboxAdapter } from '#adapters/sandbox/index.ts';
import { twitch as twitchAdapter } from '#adapters/twitch/index.ts';
import { createAccountHealth } from '#src/admin/queries/accounts.ts';
import { accountsOf } from '#src/app/accounts.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { createClients } from '#src/clients/clients.ts';
import { createEngine } from '#src/app/engine.ts';
import { createEventBus } from '#src/engine/event-bus.ts';
import { createConversationPlatform } from '#src/clients/assistant/respond.ts';
import { accountsOn } from '#src/config/accounts.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { zone } from '#src/rules/clocks/zone.ts';
import { recorded } from '#src/clients/history/recorded.ts';
import { silentLog } from '#src/log.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import type { Rule } from '#src/rules/rule.ts';
import { startSandbox, type Sandbox } from '#sandbox/index.ts';
import type { WorldOrder } from '#sandbox/world/world.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** The real time before the clock of the test advances, because an adapter may wait for its rate limit. */
const ROUND_MS = 250;
/** A step that takes longer hangs. */
const IDLE_MS = 60_000;
/** All shipped schedules are multiples of it. */
const TICK_SECONDS = 10;

const Embed = z.looseObject({
  title: z.string().optional(),
  description: z.string().optional(),
  footer: z.object({ text: z.string() }).optional(),
  image: z.unknown().optional(),
});
const Messages = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      content: z.string(),
      embeds: z.array(Embed),
      components: z.array(z.unknown()),
      channel: z.object({ name: z.string().optional() }),
      history: z.array(z.unknown()),
      reactions: z.array(z.object({ emoji: z.string() })),
      published: z.boolean(),
      replyTo: z.string().optional(),
      pinged: z.object({ everyone: z.boolean(), roles: z.array(z.string()), users: z.array(z.string()) }),
    }),
  ),
});
const Posts = z.object({ items: z.array(z.object({ id: z.string(), text: z.string(), replyTo: z.string().optional() })) });
const Guild = z.object({ roles: z.array(z.object({ id: z.string(), name: z.string() })) });
const Members = z.array(z.object({ user: z.object({ username: z.string() }), roles: z.array(z.string()) }));

type Shown = z.output<typeof Messages>['items'][number];

/** Enabled shipped rules in the production engine on a sandbox, with the clock of the test. */
export interface Stage extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly store: Store;
  readonly rules: readonly [Rule, ...Rule[]];
  /** Advances the clock, with a tick every ten seconds. */
  pass(minutes: number): Promise<void>;
  order(order: WorldOrder): void;
  /** The current messages of a channel. */
  messages(channel: string): Promise<readonly Shown[]>;
  posts(): Promise<z.output<typeof Posts>['items']>;
  /** The names of the members with a role. */
  membersWith(role: string): Promise<readonly string[]>;
  /** The errors of deliveries and decisions. */
  errors(): Promise<readonly string[]>;
}

export interface StageOptions {
  /** File names in rules/, without extension. */
  readonly rules: readonly string[];
  readonly at?: string;
}

export async function openStage({ rules: names, at = '2026-11-20T18:00:00Z' }: StageOptions): Promise<Stage> {
  await using stack = new AsyncDisposableStack();
  const clock = new ManualClock(at);
  const sandbox = stack.use(await startSandbox({ clock }));
  const config = configOfEnvironment(sandbox.environment);
  const store = stack.use(await openStore({ clock }));
  const [first, ...others] = names.flatMap((name) => shippedRule(name, accountsOf(config), clock));
  if (!first) throw new Error('no rule was named');
  const rules = [first, ...others] as const;
  const engine = await createEngine({
    rules,
    clients: clientsOf(config, store, clock),
    store,
    eventBus: createEventBus(),
    health: createAccountHealth(() => undefined),
    clock,
    log: silentLog,
  });
  const stopping = new AbortController();
  const sending = engine.deliveryEngine.run(stopping.signal);
  stack.defer(async () => {
    stopping.abort();
    await sending;
  });

  async function control(path: string): Promise<unknown> {
    const response = await fetch(`${sandbox.url}/control${path}`);
    return response.json();
  }

  const open = stack.move();
  return {
    sandbox,
    store,
    rules,
    async pass(minutes) {
      for (let seconds = 0; seconds < minutes * 60; seconds += TICK_SECONDS) {
        await clock.advance(TICK_SECONDS * 1000);
        await until(engine.scheduler.tick(), clock);
        await untilIdle(store, clock);
      }
    },
    order: (order) => void sandbox.world.order(order, clock.nowMs()),
    messages: async (channel) => Messages.parse(await control(`/messages?channel=${channel}`)).items,
    posts: async () => Posts.parse(await control('/posts')).items,
    async membersWith(role) {
      const { roles } = Guild.parse(await control('/discord'));
      const id = roles.find(({ name }) => name === role)?.id;
      const { DISCORD_API_URL: api, DISCORD_GUILD_ID: guild, DISCORD_TOKEN: token } = sandbox.environment;
      const headers = { authorization: `Bot ${token}` };
      const response = await fetch(`${api}/v10/guilds/${guild}/members/search?query=a&limit=100`, { headers });
      return Members.parse(await response.json()).flatMap(({ user, roles: had }) =>
        id !== undefined && had.includes(id) ? [user.username] : [],
      );
    },
    async errors() {
      const { items } = await store.deliveryLog.list({ limit: 500 });
      const { items: decisions } = await store.decisions.list({ limit: 500 });
      return [
        ...items.filter(({ state }) => state === 'failed' || state === 'unknown').map((one) => `${one.do}: ${one.error?.message ?? ''}`),
        ...decisions.filter(({ outcome }) => outcome === 'failed').map(({ message }) => message),
      ];
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

function shippedRule(name: string, accounts: ReturnType<typeof accountsOf>, clock: ManualClock): readonly Rule[] {
  const file = `rules/${name}.yaml`;
  const { rules, diagnostics: problems } = checkRule({
    file,
    source: readFileSync(file, 'utf8'),
    catalogue,
    accounts,
    nowMs: clock.nowMs(),
  });
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return rules.map((rule) => ({ ...rule, enabled: true }));
}

function clientsOf(
  { accounts }: ReturnType<typeof configOfEnvironment>,
  store: Store,
  clock: ManualClock,
): ReturnType<typeof createClients> {
  const [[twitch], [discord], [sandbox], [assistant]] = [
    accountsOn('twitch', accounts),
    accountsOn('discord', accounts),
    accountsOn('sandbox', accounts),
    accountsOn('assistant', accounts),
  ];
  const { standingMessages, transcripts, episodes, sentLog, outages, totals } = store;
  if (!twitch || !discord || !sandbox || !assistant) throw new Error('the sandbox has all accounts');
  const model = openaiAdapter({ ...assistant, clock });
  return createClients(
    {
      streaming: [twitchAdapter({ ...twitch, clock })],
      social: [sandboxAdapter({ ...sandbox, clock })],
      discord: [discordAdapter({ ...discord, guildId: discord.server, standingMessages, clock })],
      assistant: [createConversationPlatform({ platform: model, transcripts, clock })],
      history: [recorded({ episodes, deliveries: sentLog, outages, totals, zone, catalogue, clock })],
    },
    clock,
    { assistant: model, keep: { transcripts } },
  );
}

async function until(work: Promise<void>, clock: ManualClock): Promise<void> {
  let done = false;
  void work.finally(() => (done = true));
  let sinceMs = performance.now();
  while (!done) {
    await new Promise((resolve) => setImmediate(resolve));
    if (performance.now() - sinceMs < ROUND_MS) continue;

    await clock.advance(50);
    sinceMs = performance.now();
  }
  await work;
}

/** Waits until all due deliveries are sent. */
async function untilIdle(store: Store, clock: ManualClock): Promise<void> {
  const sinceMs = performance.now();
  for (;;) {
    const lists = await Promise.all((['pending', 'sending'] as const).map((state) => store.deliveryLog.list({ state, limit: 200 })));
    const due = lists.flatMap(({ items }) => items).filter(({ dueAt }) => dueAt.getTime() <= clock.nowMs());
    if (due.length === 0) return;
    if (performance.now() - sinceMs > IDLE_MS)
      throw new Error(`this is not done: ${due.map((one) => `${one.rule} ${one.do} ${one.state}`).join(', ')}`);
    // Real time, because deliveries wait for requests.
    await until(timer(1), clock);
  }
}
