import { GatewayIntentBits, Routes } from 'discord.js';
import { describe, test } from 'vitest';
import { openTransport } from './transport-stage.ts';

const kinds = (states: readonly { readonly kind: string }[]): readonly string[] => states.map(({ kind }) => kind);

describe.concurrent('a gateway in trouble loses no command and answers none twice', () => {
  test.for([
    ['dropped', { do: 'drop' }],
    ['told to reconnect', { do: 'reconnect' }],
    ['a zombie', { do: 'zombie' }],
    ['told that its session is invalid, and can be resumed', { do: 'invalidSession', resumable: true }],
  ] as const)('%s, it is resumed: what was said meanwhile is answered once', async ([, order], { expect }) => {
    await using stage = await openTransport({ heartbeatMs: 100 });
    await stage.online.client;

    for (let time = 0; time < 3; time++) {
      await stage.disturb(order);
      const { outcome, message } = await stage.say(`time ${time}`);
      expect([outcome, message?.content]).toEqual(['message', `time ${time}`]);
    }

    await expect.poll(() => kinds(stage.states).at(-1)).toBe('connected');
    expect(stage.ran).toEqual(['time 0', 'time 1', 'time 2']);
    // Where only the session is doubted, the connection stands.
    expect(kinds(stage.states).includes('restoring')).toBe(order.do !== 'invalidSession');
    expect(stage.lines.filter((line) => / error /.test(line))).toEqual([]);
  });

  test('after an invalid session there is another one, and commands are answered by it', async ({ expect }) => {
    await using stage = await openTransport();
    await stage.online.client;

    await stage.disturb({ do: 'invalidSession' });
    await expect.poll(() => kinds(stage.states).join(), { timeout: 20_000 }).toBe('connected,restoring,connected');
    const { outcome } = await stage.say('again');

    expect(outcome).toBe('message');
    expect(stage.ran).toEqual(['again']);
  });

  test('a storm of reconnects, with commands all the while', async ({ expect }) => {
    await using stage = await openTransport();
    await stage.online.client;
    const orders = ['reconnect', 'drop', 'reconnect', 'drop', 'reconnect', 'drop'] as const;
    const said: Promise<{ readonly outcome: string }>[] = [];

    for (const [time, order] of orders.entries()) {
      said.push(stage.say(`a${time}`));
      await stage.disturb({ do: order });
      said.push(stage.say(`b${time}`));
    }
    const outcomes = (await Promise.all(said)).map(({ outcome }) => outcome);

    expect(outcomes).toEqual(outcomes.map(() => 'message'));
    expect(stage.ran.toSorted()).toEqual(orders.flatMap((_, time) => [`a${time}`, `b${time}`]).toSorted());
  });
});

describe.concurrent('a gateway that closes for good', () => {
  test.for([
    [4004, 'set the new one as DISCORD_TOKEN'],
    [4010, 'set shards in fanfare.yaml to auto'],
    [4014, 'switch on Message Content Intent'],
  ] as const)('%i: it is told, with the cure, and nothing says any more that Discord is connected', async ([code, cure], { expect }) => {
    await using stage = await openTransport();
    await stage.online.client;

    await stage.disturb({ do: 'close', code });

    await expect.poll(() => kinds(stage.states)).toEqual(['connected', 'failed']);
    expect(stage.states.at(-1)).toMatchObject({ problem: expect.stringContaining(cure) });
    expect(stage.lines.filter((line) => line.includes(cure))).toHaveLength(1);
    expect(await stage.connections()).toBe(0);
  });

  test('a token that only the gateway refuses is not tried again', async ({ expect }) => {
    await using stage = await openTransport({ before: (discord) => discord.order('/discord/gateway', { do: 'refuse', code: 4004 }) });

    await expect(stage.online.client).rejects.toThrow('does not accept the token');
  });

  test('what it may not hear of is left out, and said: commands go on', async ({ expect }) => {
    const wishes = [GatewayIntentBits.GuildMessages, GatewayIntentBits.MessageContent];
    const before = openTransport({
      wishes,
      before: (discord) => discord.order('/discord/gateway', { do: 'disallow', intents: ['MessageContent'] }),
    });
    await using stage = await before;
    await stage.online.client;

    expect((await stage.say('hello')).message?.content).toBe('hello');
    expect(stage.lines.filter((line) => line.includes('Message Content Intent'))).toHaveLength(1);
  });
});

describe.concurrent('rate limits', () => {
  test('of a bucket: answers wait, none is lost or given twice', async ({ expect }) => {
    await using stage = await openTransport();
    await stage.online.client;
    const said: Promise<{ readonly outcome: string }>[] = [];

    stage.discord.sandbox.faults.add({ platform: 'discord', route: '/callback', kind: 'rateLimit', ms: 300, times: 3 });
    for (let time = 0; time < 10; time++) said.push(stage.say(`text ${time}`));
    const outcomes = (await Promise.all(said)).map(({ outcome }) => outcome);

    expect(outcomes).toEqual(outcomes.map(() => 'message'));
    expect(stage.ran).toHaveLength(10);
  });

  test('of the whole bot, by something else that it does: answers wait, none is lost', async ({ expect }) => {
    await using stage = await openTransport({ limits: { global: { requests: 5, windowMs: 1000 } } });
    const client = await stage.online.client;

    const others = Array.from({ length: 8 }, () => client.rest.get(Routes.user()));
    const said = ['a', 'b', 'later', 'c'].map((text) => stage.say(text));
    const outcomes = (await Promise.all(said)).map(({ outcome, message }) => [outcome, message?.content]);
    await Promise.all(others);

    expect(outcomes).toEqual([
      ['message', 'a'],
      ['message', 'b'],
      ['message', 'later'],
      ['message', 'c'],
    ]);
    expect(stage.ran).toHaveLength(4);
  });

  test('an answer that Discord loses on its way back is not given twice', async ({ expect }) => {
    await using stage = await openTransport();
    await stage.online.client;

    stage.discord.sandbox.faults.add({ platform: 'discord', route: '/callback', kind: 'resetAfter', times: 1 });
    await stage.say('once');

    const all = await stage.discord.messages('general');
    expect(all.filter(({ content }) => content === 'once')).toHaveLength(1);
    expect(stage.ran).toEqual(['once']);
  });
});

describe.concurrent('a gateway that is split', () => {
  test.for([
    ['auto', 3],
    [2, 2],
  ] as const)('into %s: every command is answered once', async ([shards, connections], { expect }) => {
    await using stage = await openTransport({ shards: 3, settings: { shards } });
    await stage.online.client;

    for (let time = 0; time < 5; time++) expect((await stage.say(`text ${time}`)).message?.content).toBe(`text ${time}`);

    expect(await stage.connections()).toBe(connections);
    expect(stage.ran).toHaveLength(5);
  });

  test('it is restored when all of its parts are', async ({ expect }) => {
    await using stage = await openTransport({ shards: 3, settings: { shards: 'auto' } });
    await stage.online.client;

    await stage.disturb({ do: 'drop' });

    await expect.poll(() => kinds(stage.states)).toEqual(['connected', 'restoring', 'connected']);
    expect((await stage.say('back')).outcome).toBe('message');
  });
});
