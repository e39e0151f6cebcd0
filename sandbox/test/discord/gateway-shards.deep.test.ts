import { describe, expect, test } from 'vitest';
import { startDiscordSandbox, type DiscordSandbox } from '../../../test/support/discord-sandbox.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { connect, GUILDS_AND_MESSAGES, identify, writeMessage } from './gateway-client.ts';

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
        return client.received.filter(({ t }) => t === 'MESSAGE_CREATE').length;
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
