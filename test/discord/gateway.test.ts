import { GatewayIntentBits, Routes } from 'discord.js';
import { describe, test } from 'vitest';
import { openBotConnection } from './connection-fixture.ts';

const kinds = (states: readonly { readonly kind: string }[]): readonly string[] => states.map(({ kind }) => kind);

describe.concurrent('a failing gateway loses no command and answers no command twice', () => {
  test.for([
    ['dropped', { do: 'drop' }],
    ['asked to reconnect', { do: 'reconnect' }],
    ['unresponsive', { do: 'zombie' }],
    ['with an invalid session that can be resumed', { do: 'invalidSession', resumable: true }],
  ] as const)('a connection that is %s is resumed, and commands are answered once', async ([, order], { expect }) => {
    // A busy machine misses heartbeats of 100 ms, which only the zombie needs.
    await using fixture = await openBotConnection(order.do === 'zombie' ? { heartbeatMs: 100 } : {});
    await fixture.online.client;

    for (let time = 0; time < 3; time++) {
      await fixture.disturb(order);
      const { outcome, message } = await fixture.echo(`time ${time}`);
      expect([outcome, message?.content]).toEqual(['message', `time ${time}`]);
    }

    await expect.poll(() => kinds(fixture.states).at(-1)).toBe('connected');
    expect(fixture.ran).toEqual(['time 0', 'time 1', 'time 2']);
    // The connection stays open if only the session is invalid.
    expect(kinds(fixture.states).includes('restoring')).toBe(order.do !== 'invalidSession');
    expect(fixture.lines.filter((line) => / error /.test(line))).toEqual([]);
  });

  test('after an invalid session, a new session answers commands', async ({ expect }) => {
    await using fixture = await openBotConnection();
    await fixture.online.client;

    await fixture.disturb({ do: 'invalidSession' });
    await expect.poll(() => kinds(fixture.states).join()).toBe('connected,restoring,connected');
    const { outcome } = await fixture.echo('again');

    expect(outcome).toBe('message');
    expect(fixture.ran).toEqual(['again']);
  });

  test('commands work during many reconnects', async ({ expect }) => {
    await using fixture = await openBotConnection();
    await fixture.online.client;
    const orders = ['reconnect', 'drop', 'reconnect', 'drop', 'reconnect', 'drop'] as const;
    const answered: Promise<{ readonly outcome: string }>[] = [];

    for (const [time, order] of orders.entries()) {
      answered.push(fixture.echo(`a${time}`));
      await fixture.disturb({ do: order });
      answered.push(fixture.echo(`b${time}`));
    }
    const outcomes = (await Promise.all(answered)).map(({ outcome }) => outcome);

    expect(outcomes).toEqual(outcomes.map(() => 'message'));
    expect(fixture.ran.toSorted()).toEqual(orders.flatMap((_, time) => [`a${time}`, `b${time}`]).toSorted());
  });
});

describe.concurrent('a gateway that closes for good', () => {
  test.for([
    [4004, 'set DISCORD_TOKEN to the current token'],
    [4010, 'set shards in fanfare.yaml to auto'],
    [4014, 'enable Message Content Intent'],
  ] as const)('with %i is logged once with its remedy, and Discord is reported as failed', async ([code, cure], { expect }) => {
    await using fixture = await openBotConnection();
    await fixture.online.client;

    await fixture.disturb({ do: 'close', code });

    await expect.poll(() => kinds(fixture.states)).toEqual(['connected', 'failed']);
    expect(fixture.states.at(-1)).toMatchObject({ problem: expect.stringContaining(cure) });
    expect(fixture.lines.filter((line) => line.includes(cure))).toHaveLength(1);
    expect(await fixture.connections()).toBe(0);
  });

  test('a token that only the gateway refuses is not used again', async ({ expect }) => {
    await using fixture = await openBotConnection({ before: (discord) => discord.order('/discord/gateway', { do: 'refuse', code: 4004 }) });

    await expect(fixture.online.client).rejects.toThrow('rejects the token');
  });

  test('the bot drops a refused intent, logs it, and answers commands', async ({ expect }) => {
    const optionalIntents = [GatewayIntentBits.GuildMessages, GatewayIntentBits.MessageContent];
    const before = openBotConnection({
      optionalIntents,
      before: (discord) => discord.order('/discord/gateway', { do: 'disallow', intents: ['MessageContent'] }),
    });
    await using fixture = await before;
    await fixture.online.client;

    expect((await fixture.echo('hello')).message?.content).toBe('hello');
    expect(fixture.lines.filter((line) => line.includes('Message Content Intent'))).toHaveLength(1);
  });
});

describe.concurrent('rate limits', () => {
  test('of a bucket delay answers, and every command is answered once', async ({ expect }) => {
    await using fixture = await openBotConnection();
    await fixture.online.client;
    const answered: Promise<{ readonly outcome: string }>[] = [];

    fixture.discord.sandbox.faults.add({ platform: 'discord', route: '/callback', kind: 'rateLimit', ms: 300, times: 3 });
    for (let time = 0; time < 10; time++) answered.push(fixture.echo(`text ${time}`));
    const outcomes = (await Promise.all(answered)).map(({ outcome }) => outcome);

    expect(outcomes).toEqual(outcomes.map(() => 'message'));
    expect(fixture.ran).toHaveLength(10);
  });

  test('of the whole bot delay answers, and every command is answered', async ({ expect }) => {
    await using fixture = await openBotConnection({ limits: { global: { requests: 5, windowMs: 1000 } } });
    const client = await fixture.online.client;

    const others = Array.from({ length: 8 }, () => client.rest.get(Routes.user()));
    const answered = ['a', 'b', 'later', 'c'].map((text) => fixture.echo(text));
    const outcomes = (await Promise.all(answered)).map(({ outcome, message }) => [outcome, message?.content]);
    await Promise.all(others);

    expect(outcomes).toEqual([
      ['message', 'a'],
      ['message', 'b'],
      ['message', 'later'],
      ['message', 'c'],
    ]);
    expect(fixture.ran).toHaveLength(4);
  });

  test('a lost response to an answer does not repeat the answer', async ({ expect }) => {
    await using fixture = await openBotConnection();
    await fixture.online.client;

    fixture.discord.sandbox.faults.add({ platform: 'discord', route: '/callback', kind: 'resetAfter', times: 1 });
    await fixture.echo('once');

    const all = await fixture.discord.messages('general');
    expect(all.filter(({ content }) => content === 'once')).toHaveLength(1);
    expect(fixture.ran).toEqual(['once']);
  });
});

describe.concurrent('a gateway with several shards', () => {
  test.for([
    ['auto', 3],
    [2, 2],
  ] as const)('into %s: every command is answered once', async ([shards, connections], { expect }) => {
    await using fixture = await openBotConnection({ shards: 3, settings: { shards } });
    await fixture.online.client;

    for (let time = 0; time < 5; time++) expect((await fixture.echo(`text ${time}`)).message?.content).toBe(`text ${time}`);

    expect(await fixture.connections()).toBe(connections);
    expect(fixture.ran).toHaveLength(5);
  });

  test('the connection is restored when all shards are', async ({ expect }) => {
    await using fixture = await openBotConnection({ shards: 3, settings: { shards: 'auto' } });
    await fixture.online.client;

    await fixture.disturb({ do: 'drop' });

    await expect.poll(() => kinds(fixture.states)).toEqual(['connected', 'restoring', 'connected']);
    expect((await fixture.echo('back')).outcome).toBe('message');
  });
});
