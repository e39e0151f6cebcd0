import { describe, expect, test } from 'vitest';
import { startDiscordSandbox, type DiscordSandbox } from '../../../test/support/discord-sandbox.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { connect, GUILDS_AND_MESSAGES, identify, writeMessage } from './gateway-client.ts';

describe('the gateway', () => {
  test('sends its heartbeat interval, and acknowledges heartbeats', async () => {
    await using discord = await startDiscordSandbox();

    const client = await connect(discord);
    client.send(1, null);

    await client.until(({ op }) => op === 11);
    expect(client.received[0]).toMatchObject({ op: 10, d: { heartbeat_interval: 41_250 } });
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

  test('shows the status of the bot, and ignores more than five changes in 20 seconds', async () => {
    const clock = new ManualClock();
    await using discord = await startDiscordSandbox({ clock });
    const client = await identify(discord);
    const show = (name: string): void => client.send(3, { since: null, activities: [{ name, type: 3 }], status: 'online', afk: false });
    const shown = async (): Promise<unknown> => (await discord.order<{ presences: unknown }>('/discord', undefined)).presences;

    for (const name of ['1', '2', '3', '4', '5', '6']) show(name);
    await expect.poll(shown).toMatchObject([{ activities: [{ name: '5', type: 3 }], status: 'online' }]);
    await clock.advance(20_000);
    show('7');

    await expect.poll(shown).toMatchObject([{ activities: [{ name: '7' }] }]);
  });

  test.for([
    ['a status before it identified', false, { since: null, activities: [], status: 'online', afk: false }, 4003],
    ['an unknown status', true, { since: null, activities: [], status: 'busy', afk: false }, 4002],
    ['a text of 129 characters', true, { since: null, activities: [{ name: 'a'.repeat(129), type: 0 }], status: 'idle', afk: false }, 4002],
  ] as const)('closes the connection on %s', async ([, isIdentified, d, code]) => {
    await using discord = await startDiscordSandbox();
    const client = await (isIdentified ? identify(discord) : connect(discord));

    client.send(3, d);

    expect(await client.closed).toBe(code);
  });

  test('numbers the events from one without a gap', async () => {
    await using discord = await startDiscordSandbox();
    const client = await identify(discord);

    for (const content of ['a', 'b', 'c']) await writeMessage(discord, content);

    await expect.poll(() => client.received.filter(({ op }) => op === 0).map(({ s }) => s)).toEqual([1, 2, 3, 4, 5]);
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

    expect(client.received.filter(({ op }) => op === 0)).toMatchObject([{ t: 'READY', d: { guilds: [] } }]);
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
    expect(client.received.slice(1).map(({ t, s }) => [t, s])).toEqual([
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
    expect(lackingNone.received.filter(({ t }) => t === 'MESSAGE_CREATE')).toHaveLength(1000);
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
