import { once } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { startDiscordSandbox, type DiscordSandbox } from '../../../test/support/discord-sandbox.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';

interface Payload {
  readonly op: number;
  readonly t: string | null;
  readonly s: number | null;
  readonly d: unknown;
}

const GUILDS_AND_MESSAGES = (1 << 0) | (1 << 9);

/** A WebSocket client that records all payloads. */
async function connect(discord: DiscordSandbox) {
  const { url } = (await (await discord.request('GET', '/gateway/bot')).json()) as { url: string }; // as documented
  const socket = new WebSocket(`${url}?v=10&encoding=json&compress=zlib-stream`);
  const heard: Payload[] = [];
  socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString())));
  await once(socket, 'open');
  return {
    heard,
    send: (op: number, d: unknown) => socket.send(JSON.stringify({ op, d })),
    sendText: (text: string) => socket.send(text),
    closed: once(socket, 'close').then(([code]: number[]) => code),
    drop: () => socket.terminate(),
    leave: () => socket.close(1000),
    until: (found: (payload: Payload) => boolean) => vi.waitUntil(() => heard.find(found), { timeout: 240_000 }),
  };
}

async function identify(discord: DiscordSandbox) {
  const client = await connect(discord);
  client.send(2, { token: discord.token, intents: GUILDS_AND_MESSAGES, properties: {} });
  const ready = await client.until(({ t }) => t === 'READY');
  await client.until(({ t }) => t === 'GUILD_CREATE');
  const { session_id: sessionId } = ready.d as { session_id: string }; // as documented
  return { ...client, sessionId };
}

const writeMessage = (discord: DiscordSandbox, content: string) =>
  discord.order('/discord/messages', { user: discord.people[2], channel: 'general', content });

describe('the gateway', () => {
  test('sends its heartbeat interval, and acknowledges heartbeats', async () => {
    await using discord = await startDiscordSandbox();

    const client = await connect(discord);
    client.send(1, null);

    await client.until(({ op }) => op === 11);
    expect(client.heard[0]).toMatchObject({ op: 10, d: { heartbeat_interval: 41_250 } });
  });

  test.for([
    ['invalid JSON', 'hello', 4002],
    ['an unknown opcode', '{"op":99,"d":null}', 4001],
    ['a wrong token', '{"op":2,"d":{"token":"wrong","intents":0,"properties":{}}}', 4004],
    ['a wrong token on resume', '{"op":6,"d":{"token":"wrong","session_id":"a","seq":1}}', 4004],
  ] as const)('closes the connection on %s', async ([, text, code]) => {
    await using discord = await startDiscordSandbox();
    const client = await connect(discord);

    client.sendText(text);

    expect(await client.closed).toBe(code);
  });

  test('closes a connection that identifies twice', async () => {
    await using discord = await startDiscordSandbox();
    const client = await identify(discord);

    client.send(2, { token: discord.token, intents: 0 });

    expect(await client.closed).toBe(4005);
  });

  test('numbers the events from one without a gap', async () => {
    await using discord = await startDiscordSandbox();
    const client = await identify(discord);

    for (const content of ['a', 'b', 'c']) await writeMessage(discord, content);

    await expect.poll(() => client.heard.filter(({ op }) => op === 0).map(({ s }) => s)).toEqual([1, 2, 3, 4, 5]);
  });

  test('sends no events of the guild to another shard', async () => {
    await using discord = await startDiscordSandbox();
    const client = await connect(discord);
    const shards = 1000;
    const other = (Number((BigInt(discord.guildId) >> 22n) % BigInt(shards)) + 1) % shards;

    client.send(2, { token: discord.token, intents: GUILDS_AND_MESSAGES, shard: [other, shards] });
    await client.until(({ t }) => t === 'READY');
    await writeMessage(discord, 'a');
    client.send(1, null);
    await client.until(({ op }) => op === 11);

    expect(client.heard.filter(({ op }) => op === 0)).toMatchObject([{ t: 'READY', d: { guilds: [] } }]);
  });
});

describe('a session', () => {
  const resume = async (discord: DiscordSandbox, sessionId: string, seq: number) => {
    const client = await connect(discord);
    client.send(6, { token: discord.token, session_id: sessionId, seq });
    return client;
  };

  test('replays exactly the events after the sequence number of the client', async () => {
    await using discord = await startDiscordSandbox();
    const { sessionId, drop } = await identify(discord);
    drop();
    for (const content of ['a', 'b', 'c']) await writeMessage(discord, content);

    const client = await resume(discord, sessionId, 3);

    await client.until(({ t }) => t === 'RESUMED');
    expect(client.heard.slice(1).map(({ t, s }) => [t, s])).toEqual([
      ['MESSAGE_CREATE', 4],
      ['MESSAGE_CREATE', 5],
      ['RESUMED', 5],
    ]);
  });

  test('with an unknown id is invalid', async () => {
    await using discord = await startDiscordSandbox();

    const client = await resume(discord, 'unknown', 1);

    expect(await client.until(({ op }) => op === 9)).toMatchObject({ d: false });
  });

  test('is invalid if the client lacks more events than the buffer has', async () => {
    await using discord = await startDiscordSandbox();
    const { sessionId, drop } = await identify(discord);
    drop();
    // The buffer has 1000 events. The session sent two before these.
    for (let written = 0; written < 1001; written += 77)
      await Promise.all(Array.from({ length: 77 }, (_, index) => writeMessage(discord, `${written + index}`)));

    const lacking = await resume(discord, sessionId, 2);
    const refused = await lacking.until(({ op }) => op === 9);
    const lackingNone = await resume(discord, sessionId, 3);

    await lackingNone.until(({ t }) => t === 'RESUMED');
    expect(refused.d).toBe(false);
    expect(lackingNone.heard.filter(({ t }) => t === 'MESSAGE_CREATE')).toHaveLength(1000);
  });

  test('ends if the client closes it, or stays away for five minutes', async () => {
    const clock = new ManualClock();
    await using discord = await startDiscordSandbox({ clock });
    const left = await identify(discord);
    const dropped = await identify(discord);
    left.leave();
    dropped.drop();
    await Promise.all([left.closed, dropped.closed]);

    const early = await resume(discord, left.sessionId, 2);
    expect(await early.until(({ op }) => op === 9)).toMatchObject({ d: false });
    await expect.poll(async () => (await discord.order<{ connections: number }>('/discord', undefined)).connections).toBe(1);
    await clock.advance(5 * 60_000 + 1);
    const late = await resume(discord, dropped.sessionId, 2);

    expect(await late.until(({ op }) => op === 9)).toMatchObject({ d: false });
  });

  test('closes if the sequence number of the client is too high', async () => {
    await using discord = await startDiscordSandbox();
    const { sessionId, drop } = await identify(discord);
    drop();

    const client = await resume(discord, sessionId, 99);

    expect(await client.closed).toBe(4007);
  });
});

describe('session starts', () => {
  const begin = async (discord: DiscordSandbox, shard: readonly [number, number]) => {
    const client = await connect(discord);
    client.send(2, { token: discord.token, intents: GUILDS_AND_MESSAGES, shard });
    return client;
  };
  const limitsOf = async (discord: DiscordSandbox) => (await discord.request('GET', '/gateway/bot')).json() as Promise<object>;

  test('are unlimited without an order', async () => {
    await using discord = await startDiscordSandbox({ clock: new ManualClock() });

    for (let time = 0; time < 3; time++) await (await begin(discord, [0, 1])).until(({ t }) => t === 'READY');

    expect(await limitsOf(discord)).toMatchObject({
      shards: 1,
      session_start_limit: { total: 1000, remaining: 1000, reset_after: 86_400_000, max_concurrency: 1 },
    });
  });

  test('are limited to one in five seconds for each bucket of shards', async () => {
    const clock = new ManualClock();
    await using discord = await startDiscordSandbox({ clock });
    await discord.order('/discord/sharding', { shards: 4, maxConcurrency: 2 });

    const first = await Promise.all(([0, 1] as const).map((shard) => begin(discord, [shard, 4])));
    for (const client of first) await client.until(({ t }) => t === 'READY');
    const early = await begin(discord, [2, 4]);
    const refused = await early.until(({ op }) => op === 9);
    await clock.advance(5_000);
    early.send(2, { token: discord.token, intents: GUILDS_AND_MESSAGES, shard: [2, 4] });
    await early.until(({ t }) => t === 'READY');

    expect(refused.d).toBe(false);
    expect(await limitsOf(discord)).toMatchObject({
      shards: 4,
      session_start_limit: { total: 1000, remaining: 996, reset_after: 86_395_000, max_concurrency: 2 },
    });
    await clock.advance(86_395_000);
    expect(await limitsOf(discord)).toMatchObject({ session_start_limit: { remaining: 1000, reset_after: 86_400_000 } });
  });

  test('do not include resumes', async () => {
    await using discord = await startDiscordSandbox({ clock: new ManualClock() });
    await discord.order('/discord/sharding', { shards: 1 });
    const { sessionId, drop } = await identify(discord);
    drop();

    const client = await connect(discord);
    client.send(6, { token: discord.token, session_id: sessionId, seq: 2 });
    await client.until(({ t }) => t === 'RESUMED');

    expect(await limitsOf(discord)).toMatchObject({ session_start_limit: { remaining: 999 } });
  });

  test('that exceed the limit of a day end all sessions and reset the token', async () => {
    const clock = new ManualClock();
    await using discord = await startDiscordSandbox({ clock });
    await discord.order('/discord/sharding', { shards: 1, sessionStarts: 1 });
    const first = await identify(discord);

    await clock.advance(5_000);
    const second = await begin(discord, [0, 1]);

    expect([await first.closed, await second.closed]).toEqual([4004, 4004]);
    expect((await discord.request('GET', '/gateway/bot')).status).toBe(401);
    await discord.order('/discord/sharding', { shards: 1 });
    expect((await discord.request('GET', '/gateway/bot')).status).toBe(200);
    await identify(discord);
  });

  test.for([
    ['an invalid shard', [2, 2], 4010],
    ['a shard with too many servers', [0, 1], 4011],
  ] as const)('with %s close the connection', async ([, shard, code]) => {
    await using discord = await startDiscordSandbox({ clock: new ManualClock() });
    await discord.order('/discord/guild', { guild: 'Berlin Sandbox', hasBot: true });
    await discord.order('/discord/sharding', { shards: 2, maxGuildsPerShard: 1 });

    expect(await (await begin(discord, shard)).closed).toBe(code);
  });
});

describe('shards', () => {
  test('are resumed one by one, and each receives the events of its servers', async () => {
    await using discord = await startDiscordSandbox({ shards: 2 });
    await discord.order('/discord/guild', { guild: 'Berlin Sandbox', hasBot: true });
    const ids = (await discord.order<{ guilds: readonly { id: string }[] }>('/discord', undefined)).guilds.map(({ id }) => id);
    const guildsOf = async (shard: number) => {
      const client = await connect(discord);
      client.send(2, { token: discord.token, intents: GUILDS_AND_MESSAGES, shard: [shard, 2] });
      const ready = await client.until(({ t }) => t === 'READY');
      const { d } = await client.until(({ t }) => t === 'GUILD_CREATE');
      return { ...client, guild: (d as { id: string }).id, sessionId: (ready.d as { session_id: string }).session_id }; // as documented
    };
    const shards = [await guildsOf(0), await guildsOf(1)] as const;
    const writing = shards.find(({ guild }) => guild === discord.guildId);
    const silent = shards.find(({ guild }) => guild !== discord.guildId);
    expect(shards.map(({ guild }) => guild).toSorted()).toEqual(ids.toSorted());
    for (const { drop } of shards) drop();

    await writeMessage(discord, 'a');
    const resumed = await Promise.all(
      [writing, silent].map(async (shard) => {
        const client = await connect(discord);
        client.send(6, { token: discord.token, session_id: shard?.sessionId, seq: 2 });
        await client.until(({ t }) => t === 'RESUMED');
        return client.heard.filter(({ t }) => t === 'MESSAGE_CREATE').length;
      }),
    );

    expect(resumed).toEqual([1, 0]);
    expect(await discord.order('/discord', undefined)).toMatchObject({
      shards: expect.arrayContaining([
        [0, 2],
        [1, 2],
      ]),
    });
  });
});
