import { type APIInteraction, GatewayDispatchEvents, Routes } from 'discord.js';
import { expect, test } from 'vitest';
import { memoryHandledEvents } from '#src/discord/handled-events.ts';
import { memoryShardTable } from '#src/discord/gateway/shard-leases.ts';
import { LEASE_MS } from '#src/discord/gateway/shard-state.ts';
import { interactionsEndpoint } from '#src/discord/http/endpoint.ts';
import { silentLog } from '#src/log.ts';
import { startWeb } from '#src/web/web.ts';
import { type InteractionView, startDiscordSandbox } from '../support/discord-sandbox.ts';
import { noOperations } from '../support/operations.ts';
import { FakeApiQueries } from '../support/fake-api-queries.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type ConnectionFixture, openBotConnection } from './connection-fixture.ts';

const BERLIN = 'Berlin Sandbox';
const RENEW_MS = 2_000;
/** Longer than a test: its clock moves while requests are on their way. */
const ANSWER_MS = 600_000;

type StartOptions = NonNullable<Parameters<typeof openBotConnection>[0]> & { readonly http?: boolean };

/** A sandbox with two servers in two shards, and the bots that share them. */
async function openCluster() {
  const clock = new ManualClock();
  const discord = await startDiscordSandbox({ clock, answerMs: ANSWER_MS });
  await discord.order('/discord/guild', { guild: BERLIN, hasBot: true });
  await discord.order('/discord/sharding', { shards: 2, maxConcurrency: 2, maxGuildsPerShard: 1 });
  const { guilds } = await discord.order<{ guilds: readonly { id: string }[] }>('/discord', undefined);
  const { members } = await discord.order<{ members: readonly { username: string; bot: boolean }[] }>(
    `/discord?guild=${encodeURIComponent(BERLIN)}`,
    undefined,
  );
  const [table, handled] = [memoryShardTable(), memoryHandledEvents(clock)];
  const stack = new AsyncDisposableStack();
  stack.use(discord);
  const berliner = members.find(({ bot }) => !bot)?.username;

  return {
    clock,
    discord,
    async start(gateway: string, { http, ...options }: StartOptions = {}): Promise<ConnectionFixture> {
      const servers = guilds.map(({ id }) => ({ account: id, id, zone: 'UTC' }));
      const shared = { handled, http, shards: { table, gateway } };
      return stack.use(await openBotConnection({ on: discord, clock, servers, settings: { shards: 'auto' }, shared, ...options }));
    },
    /** The ids of the connected shards. */
    async shards(): Promise<readonly number[]> {
      const { shards } = await discord.order<{ shards: readonly (readonly [number, number])[] }>('/discord', undefined);
      return shards.map(([id]) => id).toSorted((a, b) => a - b);
    },
    /** Lets the gateways renew until `found` resolves with true. */
    async until(found: () => boolean | Promise<boolean>): Promise<void> {
      await expect
        .poll(async () => {
          if (await found()) return true;
          await clock.advance(RENEW_MS);
          return false;
        })
        .toBe(true);
    },
    here: (text: string): Promise<InteractionView> =>
      discord.interact({ user: discord.people[0], channel: 'general', command: 'echo', options: { text } }),
    berlin: (text: string): Promise<InteractionView> =>
      discord.interact({ guild: BERLIN, user: berliner, channel: 'general', command: 'echo', options: { text } }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

test('two gateways share the shards, and each answers in its servers', async () => {
  await using cluster = await openCluster();
  const first = await cluster.start('a');
  await first.online.client;
  const alone = await cluster.shards();

  const second = await cluster.start('b');
  let isOnline = false;
  void second.online.client.then(() => (isOnline = true));
  await cluster.until(() => isOnline);
  await cluster.until(async () => (await cluster.shards()).length === 2);
  const answers = [await cluster.here('one'), await cluster.berlin('two')];

  expect(alone).toEqual([0, 1]);
  expect(await cluster.shards()).toEqual([0, 1]);
  expect(answers.map(({ message }) => message?.content)).toEqual(['one', 'two']);
  expect([first.ran.length, second.ran.length]).toEqual([1, 1]);
});

test('a gateway whose first shard moved to another one still sends requests: its alerts and the commands of its rules need them', async () => {
  await using cluster = await openCluster();
  const staying = await cluster.start('a');
  const client = await staying.online.client;
  const next = await cluster.start('b');
  let isOnline = false;
  void next.online.client.then(() => (isOnline = true));
  await cluster.until(() => isOnline);
  await cluster.until(() => client.token === null);

  const bot = await client.rest.get(Routes.user());

  expect(bot).toMatchObject({ bot: true });
});

test('a gateway that loses its shards before all of them are online does not count as failed, and is online with its next shard', async () => {
  await using cluster = await openCluster();
  // Both shards are in one bucket, so the second one waits to identify.
  await cluster.discord.order('/discord/sharding', { shards: 2, maxConcurrency: 1, maxGuildsPerShard: 1 });
  const frozen = new ManualClock(cluster.clock.nowMs());
  const slow = await cluster.start('a', { clock: frozen });
  let isOnline = false;
  void slow.online.client.then(() => (isOnline = true));
  await expect.poll(async () => (await cluster.shards()).length).toBe(1);

  // The machine of the first gateway sleeps.
  const next = await cluster.start('b');
  await cluster.until(async () => next.states.length > 0 && (await cluster.shards()).length === 3);
  frozen.set(cluster.clock.nowMs());
  await cluster.until(async () => {
    await frozen.advance(RENEW_MS);
    return (await cluster.shards()).length === 2 && isOnline;
  });

  expect(slow.states.filter(({ kind }) => kind === 'failed')).toEqual([]);
});

test('a gateway that shuts down answers until the other gateway runs its shards, and each command runs once', async () => {
  await using cluster = await openCluster();
  const leaving = await cluster.start('a');
  await leaving.online.client;
  const next = await cluster.start('b');
  await cluster.until(async () => next.states.length > 0 && (await cluster.shards()).length === 2);
  const texts: string[] = [];
  const answers: Promise<InteractionView>[] = [];

  let isOver = false;
  const handOver = leaving.online.handOver().then(() => (isOver = true));
  await cluster.until(() => {
    const text = `text ${texts.length}`;
    texts.push(text, text);
    answers.push(cluster.here(text), cluster.berlin(text));
    return isOver;
  });
  await handOver;
  await leaving[Symbol.asyncDispose]();
  const after = await cluster.here('after');

  expect((await Promise.all(answers)).map(({ message }) => message?.content)).toEqual(texts);
  expect(after.message?.content).toBe('after');
  expect([...leaving.ran, ...next.ran].toSorted()).toEqual([...texts, 'after'].toSorted());
  // The sandbox learns of a closed connection a little later.
  await expect.poll(() => cluster.shards()).toEqual([0, 1]);
});

test('the shards of a gateway that ended without a notice are taken over when its lease ends', async () => {
  await using cluster = await openCluster();
  const frozen = new ManualClock(cluster.clock.nowMs());
  const dead = await cluster.start('a', { clock: frozen });
  await dead.online.client;
  const next = await cluster.start('b');
  await expect.poll(() => next.states).toEqual([{ kind: 'connected' }]);
  const [before, startMs] = [next.ran.length, cluster.clock.nowMs()];

  await cluster.until(async () => (await cluster.shards()).length === 4);
  const tookMs = cluster.clock.nowMs() - startMs;
  const answers = [await cluster.here('one'), await cluster.berlin('two')];
  // The frozen gateway continues.
  frozen.set(cluster.clock.nowMs());
  await cluster.until(async () => {
    await frozen.advance(RENEW_MS);
    return (await cluster.shards()).length === 2;
  });

  expect(before).toBe(0);
  expect(tookMs).toBeGreaterThanOrEqual(LEASE_MS);
  expect(tookMs).toBeLessThan(30_000);
  expect(answers.map(({ message }) => message?.content)).toEqual(['one', 'two']);
  expect(dead.ran.length + next.ran.length).toBe(2);
});

test('an interaction over the gateway of one process and over HTTP at another runs once', async () => {
  await using cluster = await openCluster();
  const gateway = await cluster.start('a');
  const web = await cluster.start('web', { settings: { gateway: false } });
  await web.online.client;
  const client = await gateway.online.client;
  client.ws.on(GatewayDispatchEvents.InteractionCreate, (raw: APIInteraction) => void web.online.deliver(raw));

  const answers = [await cluster.here('one'), await cluster.here('two')];

  expect(answers.map(({ message }) => message?.content)).toEqual(['one', 'two']);
  expect([...gateway.ran, ...web.ran].toSorted()).toEqual(['one', 'two']);
});

test('only clients of the gateway report what happens in servers, because the one for HTTP has no states of members', async () => {
  await using cluster = await openCluster();
  const counts: (number | undefined)[] = [];

  const { online } = await cluster.start('a', { http: true, prepare: ({ options }) => counts.push(options.shardCount) });
  await online.client;

  expect(counts).toEqual([2, 2]);
});

test('a gateway also answers over HTTP in servers whose shards another gateway runs', async () => {
  await using cluster = await openCluster();
  const [first, second] = [await cluster.start('a', { http: true }), await cluster.start('b', { http: true })];
  for (const { online } of [first, second]) {
    let isOnline = false;
    void online.client.then(() => (isOnline = true));
    await cluster.until(() => isOnline);
  }
  const { publicKey } = await cluster.discord.order<{ publicKey: string }>('/discord/endpoint', {});
  const { clock } = cluster;
  const takeInteraction = interactionsEndpoint({
    publicKey,
    deliver: (interaction) => first.online.deliver(interaction),
    clock,
    log: silentLog,
  });
  await using web = await startWeb({
    host: '127.0.0.1',
    port: 0,
    apiQueries: new FakeApiQueries(),
    operations: noOperations,
    takeInteraction,
    clock,
    log: silentLog,
  });
  await cluster.discord.order('/discord/endpoint', { url: `${web.url}/discord/interactions` });

  const answers = [await cluster.here('one'), await cluster.berlin('two')];

  expect(answers.map(({ message }) => message?.content)).toEqual(['one', 'two']);
  expect([first.ran, second.ran]).toEqual([['one', 'two'], []]);
});

test.for<StartOptions>([{}, { http: true }])('a gateway without a shard is ready, and takes over a free shard: %o', async (options) => {
  await using cluster = await openCluster();
  const running = [await cluster.start('a', options), await cluster.start('b', options)];
  await cluster.until(() => running.every(({ states }) => states.length > 0));
  const spare = await cluster.start('c', options);

  await cluster.until(() => spare.states.length > 0);

  expect(spare.states).toEqual([{ kind: 'connected' }]);
  await running[0]?.[Symbol.asyncDispose]();
  let isOnline = false;
  void spare.online.client.then(() => (isOnline = true));
  await cluster.until(() => isOnline);
  expect(spare.states.at(-1)).toEqual({ kind: 'connected' });
});
