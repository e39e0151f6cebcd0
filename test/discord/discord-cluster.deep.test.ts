import { afterAll, expect, test } from 'vitest';
import { createConnectionStatus } from '#src/discord/connection-status.ts';
import { connectDiscord } from '#src/discord/connect-discord.ts';
import { systemClock } from '#src/clock.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { silentLog } from '#src/log.ts';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import { startDiscordSandbox } from '../support/discord-sandbox.ts';
import { startPostgres } from '../support/postgres.ts';

const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

/** A simulated Discord with two shards, and processes that share a database. */
async function openCluster() {
  const discord = await startDiscordSandbox();
  await discord.order('/discord/sharding', { shards: 2, maxConcurrency: 2 });
  const schema = server.newSchema();
  const stack = new AsyncDisposableStack();
  stack.use(discord);

  async function start(process: string, { gateway = true, http = false } = {}) {
    const store = stack.use(await openPostgresStore({ url: server.url, schema, maxConnections: 3 }));
    const config = configOfEnvironment(discord.sandbox.environment);
    const stopping = new AbortController();
    const connection = connectDiscord({
      config: { ...config, discord: { ...config.discord, ...(http && { publicKey: '0f'.repeat(32) }) } },
      clients: { streaming: new Map(), social: new Map() },
      savedViews: store.savedViews,
      conversations: store,
      conversation: undefined,
      questions: { read: () => undefined, find: async () => undefined, onAnswer: async () => undefined },
      gatewayLock: store.gatewayLock,
      cluster: {
        process,
        isAlone: async () => false,
        shards: gateway ? store.discord?.shards : undefined,
        http,
        handled: store.discord?.handled ?? fail(),
      },
      status: createConnectionStatus(() => undefined),
      clock: systemClock,
      log: silentLog,
      signal: stopping.signal,
    });
    async function stop(): Promise<void> {
      stopping.abort();
      await connection.closed;
    }
    stack.defer(stop);
    return { connection, stop };
  }

  return {
    discord,
    start,
    async shards(): Promise<readonly number[]> {
      const { shards } = await discord.order<{ shards: readonly (readonly [number, number])[] }>('/discord', undefined);
      return shards.map(([id]) => id).toSorted((a, b) => a - b);
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

function fail(): never {
  throw new Error('a store in PostgreSQL has them');
}

test('two processes share the shards, and a process that stops hands its shards over', async () => {
  await using cluster = await openCluster();
  const first = await cluster.start('a');
  await expect.poll(() => cluster.shards()).toEqual([0, 1]);
  const second = await cluster.start('b');
  await expect.poll(() => [first, second].map(({ connection }) => connection.status.state)).toEqual(['connected', 'connected']);
  const seen: (readonly number[])[] = [];

  const stopped = first.stop().then(() => true);
  while (!(await Promise.race([stopped, cluster.shards().then((ids) => void seen.push(ids))])));
  await expect.poll(() => cluster.shards()).toEqual([0, 1]);

  // No shard was ever without a connection.
  expect(seen.filter((ids) => new Set(ids).size < 2)).toEqual([]);
  expect(second.connection.status.state).toBe('connected');
});

test('a process that waits for shards stops at once', async () => {
  await using cluster = await openCluster();
  await cluster.discord.order('/discord/sharding', { shards: 1 });
  await cluster.start('a');
  await expect.poll(() => cluster.shards()).toEqual([0]);
  const waiting = await cluster.start('b');
  await expect.poll(() => waiting.connection.status.state).toBe('connected');

  await waiting.stop();

  expect(await cluster.shards()).toEqual([0]);
});

test('a worker without a connection closes questions, and a web process takes interactions without a gateway', async () => {
  await using cluster = await openCluster();
  const worker = await cluster.start('worker', { gateway: false });
  const web = await cluster.start('web', { gateway: false, http: true });
  const channel = cluster.discord.channelIds.get('live') ?? '';
  const { id } = (await cluster.discord.rest().post(`/channels/${channel}/messages`, { body: { content: 'Really?' } })) as { id: string };

  worker.connection.questionClosed({ params: undefined, result: { id: `${channel}/${id}` } });

  await expect.poll(async () => (await cluster.discord.messages('live')).at(-1)?.content).toBe('Really?\n-# No one answered in time.');
  const answered = { choice: 'drop', by: { displayName: 'ada' } };
  web.connection.questionClosed({ params: undefined, result: { id: `${channel}/${id}`, ...answered } });
  await expect.poll(async () => (await cluster.discord.messages('live')).at(-1)?.content).toMatch(/\n-# \*\*drop\*\*, answered ada$/u);
  await expect.poll(() => web.connection.status.state).toBe('connected');
  expect([worker.connection.status.state, worker.connection.takeInteraction]).toEqual(['absent', undefined]);
  expect(web.connection.takeInteraction).toBeDefined();
  expect(await cluster.shards()).toEqual([]);
});
