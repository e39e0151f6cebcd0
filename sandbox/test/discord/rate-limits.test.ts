import { RESTEvents } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { startDiscordSandbox, type DiscordSandbox } from '../../../test/support/discord-sandbox.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';

const send = (discord: DiscordSandbox, channel: string) =>
  discord.request('POST', `/channels/${discord.channelIds.get(channel)}/messages`, { content: 'a' });

describe('five messages in five seconds', () => {
  test('pass with headers that count down; the sixth is refused until the window ends', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    await using discord = await startDiscordSandbox({ clock, limits: {} });
    const left: (string | null)[] = [];

    for (let sent = 0; sent < 5; sent++) left.push((await send(discord, 'live')).headers.get('x-ratelimit-remaining'));
    await clock.advance(700);
    const refused = await send(discord, 'live');
    const elsewhere = await send(discord, 'general');
    await clock.advance(4300);
    const later = await send(discord, 'live');

    expect(left).toEqual(['4', '3', '2', '1', '0']);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toEqual({ message: 'You are being rate limited.', retry_after: 4.3, global: false });
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': '5',
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1795197605.000',
      'x-ratelimit-reset-after': '4.300',
      'x-ratelimit-bucket': expect.stringMatching(/^[0-9a-f]{32}$/),
      'x-ratelimit-scope': 'user',
    });
    expect([elsewhere.status, later.status]).toEqual([200, 200]);
  });

  test('include refused requests', async () => {
    await using discord = await startDiscordSandbox({ clock: new ManualClock(), limits: {} });
    await discord.order('/discord/permissions', { channel: 'live', deny: ['SendMessages'] });

    const refused = await send(discord, 'live');

    expect(refused.status).toBe(403);
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('4');
  });
});

test('the global limit applies to all routes except answers to interactions', async () => {
  await using discord = await startDiscordSandbox({ clock: new ManualClock(), limits: { global: { requests: 2, windowMs: 1000 } } });

  const statuses = [await discord.request('GET', '/users/@me'), await send(discord, 'live')].map(({ status }) => status);
  const refused = await discord.request('GET', `/guilds/${discord.guildId}`);
  const answer = await discord.request('POST', '/interactions/1/token/callback', { type: 1 });

  expect(statuses).toEqual([200, 200]);
  expect(refused.status).toBe(429);
  expect(Object.fromEntries(refused.headers)).toMatchObject({
    'x-ratelimit-global': 'true',
    'x-ratelimit-scope': 'global',
    'retry-after': '1',
  });
  expect(await refused.json()).toMatchObject({ global: true, retry_after: 1 });
  expect(answer.status).toBe(404);
});

test('discord.js waits as the headers demand, and loses no message', async () => {
  await using discord = await startDiscordSandbox({ limits: { createMessage: { requests: 2, windowMs: 200 } } });
  const rest = discord.rest();
  const path = `/channels/${discord.channelIds.get('live')}/messages` as const;

  await Promise.all(['0', '1', '2', '3', '4'].map((content) => rest.post(path, { body: { content } })));

  expect((await discord.messages('live')).map(({ content }) => content)).toEqual(['0', '1', '2', '3', '4']);
});

test('discord.js retries after a 429 of a fault, and the message exists once', async () => {
  await using discord = await startDiscordSandbox();
  const rest = discord.rest();
  const waits: number[] = [];
  rest.on(RESTEvents.Response, (_, { status, headers }) => {
    if (status === 429) waits.push(Number(headers.get('x-ratelimit-reset-after')));
  });
  discord.sandbox.faults.add({ platform: 'discord', kind: 'rateLimit', ms: 100, times: 1 });

  await rest.post(`/channels/${discord.channelIds.get('live')}/messages`, { body: { content: 'once' } });

  expect(waits).toEqual([0.1]);
  expect(await discord.messages()).toHaveLength(1);
});

test.for([
  [403, { code: 50_013, message: 'Missing Permissions' }],
  [404, { code: 10_003, message: 'Unknown Channel' }],
  [503, { code: 0, message: '503: Service Unavailable' }],
] as const)("a %i of a fault has Discord's message", async ([status, body]) => {
  await using discord = await startDiscordSandbox();
  discord.sandbox.faults.add({ platform: 'discord', kind: 'status', status, times: 1 });

  const refused = await send(discord, 'live');

  expect(refused.status).toBe(status);
  expect(await refused.json()).toEqual(body);
});
