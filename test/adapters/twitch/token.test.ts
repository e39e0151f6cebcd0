import { expect, test } from 'vitest';
import { rows, scriptTwitch, SIGN_IN } from './script-twitch.ts';

const TOP = 'GET /helix/streams?first=100';
const [TOKEN, VALIDATE] = ['POST /oauth2/token', 'GET /oauth2/validate'];
const HOUR_MS = 3600 * 1000;

function token(name: string, expiresIn = 5_000_000) {
  return [TOKEN, { json: { access_token: name, expires_in: expiresIn } }] as const;
}
const good = [VALIDATE, { json: {} }] as const;
const top = [TOP, rows([])] as const;

test('signs in as the app, checks the token, and sends it with the client id', async () => {
  await using twitch = await scriptTwitch([top]);

  await twitch.bot.getTopStreams();

  const [signIn, check, read] = twitch.server.seen;
  expect(signIn?.body).toBe('client_id=client&client_secret=tr0ub4dor&grant_type=client_credentials');
  expect(check?.headers.authorization).toBe('OAuth token-1');
  expect(read?.headers).toMatchObject({ authorization: 'Bearer token-1', 'client-id': 'client' });
});

test('nothing is sent before the first use', async () => {
  await using twitch = await scriptTwitch([], []);

  const streams = twitch.bot.getTopStreams();

  expect(streams).toBeInstanceOf(Object);
  expect(twitch.server.seen).toEqual([]);
});

test('concurrent calls sign in once', async () => {
  await using twitch = await scriptTwitch([{ together: [top, top, top] }]);

  await Promise.all([1, 2, 3].map(() => twitch.bot.getTopStreams()));

  expect(twitch.server.seen.filter(({ line }) => line === TOKEN)).toHaveLength(1);
});

test('a refused token is replaced once, and the request is repeated', async () => {
  await using twitch = await scriptTwitch([[TOP, { status: 401 }], token('token-2'), top]);

  await twitch.bot.getTopStreams();

  expect(twitch.server.seen.at(-1)?.headers.authorization).toBe('Bearer token-2');
});

test('a token that is refused again is an error', async () => {
  await using twitch = await scriptTwitch([[TOP, { status: 401 }], token('token-2'), [TOP, { status: 401 }]]);

  await expect(twitch.bot.getTopStreams()).rejects.toMatchObject({ fault: 'unauthorized', status: 401 });
});

test('several requests with the same refused token cause one renewal', async () => {
  await using twitch = await scriptTwitch([
    top,
    { anyOrder: [[TOP, { status: 401 }], [TOP, { status: 401 }], token('token-2'), top, top] },
  ]);
  await twitch.bot.getTopStreams();

  await Promise.all([twitch.bot.getTopStreams(), twitch.bot.getTopStreams()]);

  expect(twitch.server.seen.filter(({ line }) => line === TOKEN)).toHaveLength(2);
});

test('a late refusal of the old token does not discard the new one', async () => {
  const later = Promise.withResolvers<void>();
  const late = [`${TOP}&after=x`, { status: 401, after: later.promise }] as const;
  await using twitch = await scriptTwitch([
    [TOP, rows([], 'x')],
    { anyOrder: [[TOP, { status: 401 }], late, token('token-2'), top] },
    [`${TOP}&after=x`, rows([])],
  ]);
  const { cursor } = await twitch.bot.getTopStreams();
  const slow = twitch.bot.getTopStreams({ cursor }).then((streams) => streams.length);
  await twitch.server.arrived(4);
  await twitch.bot.getTopStreams();

  later.resolve();

  expect(await slow).toBe(0);
  expect(twitch.server.seen.filter(({ line }) => line === TOKEN)).toHaveLength(2);
});

test('the first request after an hour checks the token again', async () => {
  await using twitch = await scriptTwitch([top, top, good, top]);
  await twitch.bot.getTopStreams();
  await twitch.clock.advance(HOUR_MS - 1);
  await twitch.bot.getTopStreams();
  await twitch.clock.advance(1);

  const streams = await twitch.bot.getTopStreams();

  expect(streams.length).toBe(0);
});

test('an invalid token is replaced before it is used', async () => {
  await using twitch = await scriptTwitch([top, [VALIDATE, { status: 401 }], token('token-2'), top]);
  await twitch.bot.getTopStreams();
  await twitch.clock.advance(HOUR_MS);

  await twitch.bot.getTopStreams();

  expect(twitch.server.seen.at(-1)?.headers.authorization).toBe('Bearer token-2');
});

test('a check without a response delays no request and is repeated soon', async () => {
  await using twitch = await scriptTwitch([top, [VALIDATE, { status: 400 }], top, good, top]);
  await twitch.bot.getTopStreams();
  await twitch.clock.advance(HOUR_MS);
  await twitch.bot.getTopStreams();
  await twitch.clock.advance(60_000);

  const streams = await twitch.bot.getTopStreams();

  expect(streams.length).toBe(0);
});

test('an expired token is replaced before it is used', async () => {
  await using twitch = await scriptTwitch([top, token('token-2'), top], [token('token-1', 600), good]);
  await twitch.bot.getTopStreams();
  await twitch.clock.advance(600_000);

  await twitch.bot.getTopStreams();

  expect(twitch.server.seen.at(-1)?.headers.authorization).toBe('Bearer token-2');
});

test.for([
  [400, 'invalid client'],
  [403, 'invalid client secret'],
] as const)('wrong credentials (%i) are an error that does not contain them', async ([status, message]) => {
  await using twitch = await scriptTwitch([], [[TOKEN, { status, json: { status, message } }]]);

  const error: unknown = await twitch.bot.getTopStreams().catch((reason: unknown) => reason);

  expect(error).toMatchObject({ fault: 'unauthorized', status, message: expect.stringContaining('client id') });
  expect(String(error)).not.toContain('tr0ub4dor');
});

test('an abort of one caller does not abort the token request of the others', async () => {
  const stop = new AbortController();
  await using twitch = await scriptTwitch([top], SIGN_IN);
  const leaving = twitch.bot.getTopStreams({ signal: stop.signal });
  const staying = twitch.bot.getTopStreams();
  const both = Promise.allSettled([leaving, staying]);

  stop.abort(new Error('enough'));

  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});
