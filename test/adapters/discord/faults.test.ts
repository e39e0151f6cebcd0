import { expect, test } from 'vitest';
import { discord } from '#adapters/discord/index.ts';
import { Chat } from '#src/clients/chat/chat.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { scriptHttp } from '../../support/script-http.ts';
import { UNREACHABLE } from '../../support/unreachable.ts';
import { openChat } from './open-chat.ts';

test.for([
  [403, 'forbidden', /Missing Permissions, code 50013.*needs View Channel/],
  [404, 'missing', /code/],
  [400, 'rejected', /400/],
  [500, 'unanswered', /500/],
  [503, 'unanswered', /503/],
] as const)('a write that is answered with %i is %s', async ([status, fault, message]) => {
  await using fixture = await openChat();
  fixture.discord.sandbox.faults.add({ platform: 'discord', method: 'POST', kind: 'status', status, times: 1 });

  await expect(fixture.chat.send('live', { content: 'hello' })).rejects.toMatchObject({
    fault,
    status,
    message: expect.stringMatching(message),
  });
});

test('a read with status 500 is unavailable', async () => {
  await using fixture = await openChat();
  fixture.discord.sandbox.faults.add({ platform: 'discord', method: 'GET', route: '/messages', kind: 'status', status: 500, times: 1 });

  await expect(fixture.chat.getMessages('live')).rejects.toMatchObject({ fault: 'unavailable', status: 500 });
});

test('a missing write permission is named', async () => {
  await using fixture = await openChat();
  await fixture.discord.order('/discord/permissions', { channel: 'live', deny: ['SendMessages'] });

  await expect(fixture.chat.send('live', { content: 'hello' })).rejects.toMatchObject({
    fault: 'forbidden',
    message: expect.stringContaining('Send Messages'),
  });
});

test('an invalid request is rejected, and the error contains no part of it', async () => {
  await using fixture = await openChat();

  fixture.discord.sandbox.faults.add({ platform: 'discord', method: 'POST', kind: 'status', status: 400, times: 1 });
  const error: unknown = await fixture.chat.send('live', { content: 'private words' }).catch((reason: unknown) => reason);

  expect(error).toMatchObject({ fault: 'rejected', status: 400 });
  expect(String(error)).not.toContain('private');
});

test('a refused token is unauthorized, is in no message, and is used again in the next call', async () => {
  await using fixture = await openChat();
  const token = 'MTIwMjU4NDEz.wrong.secret-of-the-test';
  const { DISCORD_API_URL: apiUrl = '' } = fixture.discord.sandbox.environment;
  const chat = new Chat({ platform: discord({ token, guildId: fixture.discord.guildId, apiUrl, clock: fixture.clock }) });

  for (const attempt of [1, 2]) {
    const error: unknown = await chat.send('live', { content: 'hello' }).catch((reason: unknown) => reason);
    expect(error, `attempt ${attempt}`).toMatchObject({
      fault: 'unauthorized',
      status: 401,
      message: expect.stringContaining('DISCORD_TOKEN'),
    });
    expect(String(error)).not.toContain('secret-of-the-test');
  }
});

test('a long 429 is an error with the retry time', async () => {
  await using fixture = await openChat();
  await fixture.chat.getMessages('live');
  fixture.discord.sandbox.faults.add({ platform: 'discord', method: 'POST', kind: 'rateLimit', ms: 30_000, times: 1 });

  const error: unknown = await fixture.chat.send('live', { content: 'hello' }).catch((reason: unknown) => reason);

  expect(error).toMatchObject({ fault: 'rateLimited', retryAt: expect.any(Date) });
  const waitMs = (error as { retryAt: Date }).retryAt.getTime() - fixture.clock.nowMs(); // checked in the line above
  expect(waitMs).toBeGreaterThanOrEqual(30_000);
  expect(waitMs).toBeLessThan(32_000);
  expect(await fixture.standing('live')).toEqual([]);
});

test('after a short 429, the request is repeated', async () => {
  await using fixture = await openChat();
  fixture.discord.sandbox.faults.add({ platform: 'discord', method: 'POST', kind: 'rateLimit', ms: 200, times: 1 });

  await fixture.chat.send('live', { content: 'hello' });

  expect((await fixture.standing('live')).map(({ content }) => content)).toEqual(['hello']);
});

test('a 429 without bucket and time is not repeated at once', async () => {
  await using server = await scriptHttp([['GET /v10/guilds/1/channels', { status: 429, json: { message: 'slow down' } }]]);
  const clock = new ManualClock();
  const chat = new Chat({ platform: discord({ token: 't', guildId: '1', apiUrl: server.url, clock }) });

  await expect(chat.getMessages('live')).rejects.toMatchObject({ fault: 'rateLimited', retryAt: new Date(clock.nowMs() + 1000) });
});

test.for([
  ['an empty body', { status: 200, text: '' }, 'malformed'],
  ['a page of HTML', { status: 200, text: '<html>' }, 'malformed'],
  ['a body of 9 MB', { status: 200, json: ['x'.repeat(9_000_000)] }, 'malformed'],
  ['a list of a million rows', { status: 200, json: Array.from({ length: 1_000_000 }, () => ({})) }, 'malformed'],
  // Discord refuses in JSON: a page comes from a proxy in front of it.
  ['an HTML refusal', { status: 403, text: '<html>blocked</html>' }, 'unavailable'],
  ['an HTML page that finds nothing', { status: 404, text: '<html>maintenance</html>' }, 'unavailable'],
  ['an empty refusal', { status: 404, text: '' }, 'missing'],
] as const)('%s has its fault', async ([, reply, fault]) => {
  await using server = await scriptHttp([['GET /v10/guilds/1/channels', reply]]);
  const chat = new Chat({ platform: discord({ token: 't', guildId: '1', apiUrl: server.url, clock: new ManualClock() }) });

  await expect(chat.getMessages('live')).rejects.toMatchObject({ fault });
});

// Discord had 40333 on many endpoints in May 2024: https://github.com/germanoeich/nirn-proxy/issues/14
test.for([
  [403, { message: 'internal network error', code: 40_333 }],
  [400, { message: 'API resource is currently overloaded. Try again a little later', code: 130_000 }],
] as const)('a refusal with %i and a code that passes ends no message', async ([status, json]) => {
  const channels = { json: [{ id: '200000000000000001', name: 'live', type: 0 }] };
  await using server = await scriptHttp([
    ['GET /v10/guilds/1/channels', { status, json }],
    ['GET /v10/guilds/1/channels', channels],
    ['POST /v10/channels/200000000000000001/messages', { status, json }],
  ]);
  const chat = new Chat({ platform: discord({ token: 't', guildId: '1', apiUrl: server.url, clock: new ManualClock() }) });

  await expect(chat.send('live', { content: 'Ada is live' })).rejects.toMatchObject({ fault: 'unavailable', status });
  await expect(chat.send('live', { content: 'Ada is live' })).rejects.toMatchObject({ fault: 'unanswered', status });
});

test('an unreachable Discord is the fault unreachable', async () => {
  const chat = new Chat({ platform: discord({ token: 't', guildId: '1', apiUrl: UNREACHABLE, clock: new ManualClock() }) });

  await expect(chat.send('live', { content: 'hello' })).rejects.toMatchObject({ fault: 'unreachable' });
});

test('an abort rejects with its reason', async () => {
  await using server = await scriptHttp([['GET /v10/guilds/1/channels', { fail: 'never' }]]);
  const chat = new Chat({ platform: discord({ token: 't', guildId: '1', apiUrl: server.url, clock: new ManualClock() }) });
  const stopping = new AbortController();

  const sending = chat.send('live', { content: 'hello', signal: stopping.signal });
  await server.arrived(1);
  stopping.abort(new Error('we stop'));

  await expect(sending).rejects.toThrow('we stop');
});
