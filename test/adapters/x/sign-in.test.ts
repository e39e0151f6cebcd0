import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { x } from '#adapters/x/index.ts';
import { tokensInMemory, type AccountTokens } from '#src/http/secrets/account-tokens.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { scriptHttp } from '../../support/script-http.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { UNREACHABLE } from '../../support/unreachable.ts';
import { ME, one, postRow, problem, rows, scriptX, SIGNED_IN, userRow } from './script-x.ts';

const RENEW = 'POST /2/oauth2/token';
const POSTS = 'GET /2/users/42/tweets?max_results=100&exclude=replies';
const NEXT = {
  json: { token_type: 'bearer', access_token: 'access-2', refresh_token: 'refresh-2', expires_in: 7200, scope: 'tweet.read users.read' },
};
const DAY_MS = 86_400_000;
const SOON = { ...SIGNED_IN, expiresAt: '2026-11-20T18:04:00Z' };

test('a token that is valid for long enough is used', async () => {
  await using script = await scriptX([ME]);

  expect(await script.social.getUserInfo()).toMatchObject({ handle: 'fanfare' });

  expect(script.server.seen[0]?.headers.authorization).toBe('Bearer access-1');
});

test('a token with less than five minutes left is renewed once for all callers, and saved before its first use', async () => {
  const order: string[] = [];
  const kept = tokensInMemory(SOON);
  const tokens: AccountTokens = {
    ...kept,
    async save(next) {
      order.push('kept');
      await kept.save(next);
    },
  };
  await using script = await scriptX(
    [
      [RENEW, NEXT],
      {
        anyOrder: [
          [POSTS, rows([])],
          ['GET /2/tweets/5', one(postRow('5'))],
          ['GET /2/tweets/6', one(postRow('6'))],
        ],
      },
    ],
    { tokens },
  );

  await Promise.all([script.social.getPosts('42'), script.social.postDetail('5'), script.social.postDetail('6')]);

  const [renewal, ...reads] = script.server.seen;
  expect(renewal?.headers.authorization).toBe(`Basic ${Buffer.from('client:tr0ub4dor').toString('base64')}`);
  expect(renewal?.body).toBe('grant_type=refresh_token&refresh_token=refresh-1&client_id=client');
  expect(reads.map(({ headers }) => headers.authorization)).toEqual(Array.from({ length: 3 }, () => 'Bearer access-2'));
  expect(order).toEqual(['kept']);
  expect(await tokens.load()).toEqual({
    accessToken: 'access-2',
    refreshToken: 'refresh-2',
    expiresAt: '2026-11-20T20:00:00.000Z',
    scopes: ['tweet.read', 'users.read'],
    url: script.server.url,
    app: { clientId: 'client', salt: expect.any(String), hash: expect.any(String) },
  });
  expect(JSON.stringify(await tokens.load())).not.toContain('tr0ub4dor');
});

/** A sign-in that the app `client` has just renewed with its secret. */
async function renewedSignIn(): Promise<object> {
  const tokens = tokensInMemory(SOON);
  await using script = await scriptX([[RENEW, NEXT], ME], { tokens });
  await script.social.getUserInfo();
  return { ...SIGNED_IN, ...((await tokens.load()) as object), url: undefined };
}

test('after a change of the client secret, a renewal precedes the use of the token', async () => {
  const tokens = tokensInMemory(await renewedSignIn());
  await using wrong = await scriptX([[RENEW, problem(401, { title: 'Unauthorized' })]], { tokens, clientSecret: 'wrong' });
  await expect(wrong.social.getUserInfo()).rejects.toMatchObject({
    fault: 'unauthorized',
    message: expect.stringContaining('rejects the client id and the client secret'),
  });

  await using right = await scriptX([[RENEW, NEXT], ME, ['GET /2/tweets/5', one(postRow('5'))]], { tokens, clientSecret: 'rotated' });
  await right.social.getUserInfo();
  await right.social.postDetail('5');

  expect(right.server.seen.map(({ line }) => line.split(' ')[0])).toEqual(['POST', 'GET', 'GET']);
});

test('tokens are not sent by another app', async () => {
  const tokens = tokensInMemory(await renewedSignIn());
  await using script = await scriptX([], { tokens, clientId: 'another' });

  await expect(script.social.getUserInfo()).rejects.toMatchObject({
    fault: 'unauthorized',
    message: expect.stringMatching(/fanfare auth x/),
  });
});

test.for([
  ['that is good for long enough', SIGNED_IN],
  ['that is to be renewed', SOON],
] as const)('a sign-in %s is sent only to the API that issued it', async ([, signIn]) => {
  const tokens = tokensInMemory({ ...signIn, url: 'https://api.x.com' });
  await using script = await scriptX([], { tokens });

  await expect(script.social.getUserInfo()).rejects.toMatchObject({
    fault: 'unauthorized',
    message: expect.stringMatching(/fanfare auth x/),
  });
  expect(script.server.seen).toEqual([]);
});

test('a new sign-in at another address is not used', async () => {
  const kept = tokensInMemory(SIGNED_IN);
  let others = false;
  await using script = await scriptX([ME], { tokens: { ...kept, areOthers: async () => others } });
  await script.social.getUserInfo();

  await kept.save({ ...SIGNED_IN, accessToken: 'access-of-elsewhere', url: 'https://api.x.com' });
  others = true;

  await expect(script.social.postDetail('5')).rejects.toMatchObject({ fault: 'unauthorized' });
  expect(await kept.load()).toMatchObject({ accessToken: 'access-of-elsewhere' });
});

test('an app without a secret sends its client id in the form', async () => {
  await using script = await scriptX([[RENEW, NEXT], ME], { tokens: tokensInMemory(SOON), clientSecret: undefined });

  await script.social.getUserInfo();

  expect(script.server.seen[0]?.headers.authorization).toBeUndefined();
  expect(script.server.seen[0]?.body).toContain('client_id=client');
});

test('a refused token is renewed, and the request is repeated', async () => {
  await using script = await scriptX([
    ['GET /2/users/me', problem(401, { title: 'Unauthorized' })],
    [RENEW, NEXT],
    ME,
    ['POST /2/tweets', { status: 201, json: { data: { id: '5', text: 'once' } } }],
  ]);

  expect(await script.social.createPost('once')).toMatchObject({ text: 'once' });
});

test('a token that another process renewed is used without another renewal', async () => {
  const tokens = tokensInMemory(SIGNED_IN);
  await using script = await scriptX([ME, ['GET /2/tweets/5', problem(401, {})], ['GET /2/tweets/5', one(postRow('5'))]], { tokens });
  await script.social.getUserInfo();
  await tokens.save({ ...SIGNED_IN, accessToken: 'access-of-the-other', refreshToken: 'refresh-of-the-other' });

  await script.social.postDetail('5');

  expect(script.server.seen.at(-1)?.headers.authorization).toBe('Bearer access-of-the-other');
});

test('a refused renewal asks for a new sign-in and is not repeated', async () => {
  const refusal = problem(400, { error: 'invalid_request', error_description: 'Value passed for the token was invalid.' });
  await using script = await scriptX([[RENEW, refusal]], { tokens: tokensInMemory(SOON), account: 'x_de' });

  const first: unknown = await script.social.getUserInfo().catch((reason: unknown) => reason);
  const second: unknown = await script.social.postDetail('5').catch((reason: unknown) => reason);

  expect(first).toMatchObject({
    fault: 'unauthorized',
    message: 'x: X did not refresh the sign-in: the account x_de must sign in again, with `npx fanfare auth x_de`.',
  });
  expect(second).toBe(first);
  expect(JSON.stringify(first) + String(first)).not.toMatch(/refresh-1|access-1|tr0ub4dor/);
});

test('a renewal that a proxy refused is repeated with the next request', async () => {
  const page = { status: 403, text: '<html>Attention required</html>', headers: { 'content-type': 'text/html' } };
  await using script = await scriptX([[RENEW, page], [RENEW, NEXT], ME], { tokens: tokensInMemory(SOON) });

  await expect(script.social.createPost('hello')).rejects.toMatchObject({ fault: 'unreachable', status: 403 });

  expect(await script.social.getUserInfo()).toMatchObject({ handle: 'fanfare' });
});

test('a refused renewal is repeated after a while', async () => {
  await using script = await scriptX([[RENEW, problem(403, {})], [RENEW, NEXT], ME], { tokens: tokensInMemory(SOON) });

  await expect(script.social.getUserInfo()).rejects.toMatchObject({ fault: 'unauthorized', status: 403 });
  await expect(script.social.getUserInfo()).rejects.toMatchObject({ fault: 'unauthorized', status: 403 });
  await script.clock.advance(15 * 60_000);

  expect(await script.social.getUserInfo()).toMatchObject({ handle: 'fanfare' });
});

test('a renewal with a lost response is repeated once; if X refuses it, the error asks for a new sign-in', async () => {
  await using script = await scriptX(
    [
      [RENEW, { fail: 'before' }],
      [RENEW, problem(400, { error: 'invalid_request' })],
    ],
    {
      tokens: tokensInMemory(SOON),
    },
  );

  await expect(script.social.getUserInfo()).rejects.toMatchObject({
    fault: 'unauthorized',
    message: expect.stringMatching(/response.*was lost.*must sign in again/),
  });
});

test('a renewal that never arrived succeeds the second time', async () => {
  await using script = await scriptX([[RENEW, { fail: 'before' }], [RENEW, NEXT], ME], { tokens: tokensInMemory(SOON) });

  expect(await script.social.getUserInfo()).toMatchObject({ handle: 'fanfare' });
});

test('if X is unavailable, the sign-in stays valid, and nothing is sent', async () => {
  await using script = await scriptX([[RENEW, { status: 503 }], [RENEW, NEXT], ME], { tokens: tokensInMemory(SOON) });

  await expect(script.social.createPost('later')).rejects.toMatchObject({ fault: 'unreachable', status: 503 });
  expect(await script.social.getUserInfo()).toMatchObject({ handle: 'fanfare' });
});

test('a sign-in that no rule uses is renewed once a month, and a refused renewal is not repeated at once', async () => {
  const tokens = tokensInMemory(SIGNED_IN);
  await using script = await scriptX(
    [
      [RENEW, NEXT],
      [RENEW, problem(400, { error: 'invalid_request' })],
    ],
    { tokens },
  );
  const learn = (): Promise<void> | undefined => script.platform.learn?.({});

  await learn();
  await script.clock.advance(29 * DAY_MS);
  await learn();
  expect(await tokens.load()).toEqual(SIGNED_IN);
  await script.clock.advance(2 * DAY_MS);
  await learn();
  await learn();
  expect(await tokens.load()).toMatchObject({ refreshToken: 'refresh-2' });

  await script.clock.advance(31 * DAY_MS);
  await expect(learn()).rejects.toMatchObject({ fault: 'unauthorized' });
  await expect(learn()).rejects.toMatchObject({ fault: 'unauthorized' });
  expect(script.server.seen).toHaveLength(2);
});

test('an abort of one caller does not abort the renewal', async () => {
  const tokens = tokensInMemory(SOON);
  const answered = Promise.withResolvers<void>();
  await using script = await scriptX([[RENEW, { ...NEXT, after: answered.promise }]], { tokens });
  const stop = new AbortController();

  const read = script.social.getUserInfo(undefined, { signal: stop.signal }).catch((reason: unknown) => reason);
  await script.server.arrived(1);
  stop.abort(new Error('enough'));
  const reason = await read;
  answered.resolve();
  while (JSON.stringify(await tokens.load()).includes('access-1')) await turn();

  expect(reason).toEqual(new Error('enough'));
  expect(await tokens.load()).toMatchObject({ refreshToken: 'refresh-2' });
});

test('an unsaved sign-in is saved before the next request', async () => {
  const kept = tokensInMemory(SOON);
  let full = true;
  const tokens: AccountTokens = {
    ...kept,
    async save(next) {
      if (full) throw new Error('the disk is full');
      await kept.save(next);
    },
  };
  await using script = await scriptX([[RENEW, NEXT], ME], { tokens });

  await expect(script.social.getUserInfo()).rejects.toThrow('the disk is full');
  full = false;
  await script.social.getUserInfo();

  expect(await kept.load()).toMatchObject({ refreshToken: 'refresh-2' });
});

test('an app-only request omits the fields about relations', async () => {
  await using script = await scriptX([['GET /2/users/by/username/ada', one(userRow('ada', { connection_status: undefined }))]], {
    tokens: tokensInMemory(),
    bearerToken: 'app-token',
  });

  const ada = await script.social.getUserInfo('ada');
  const refusal: unknown = await script.social.createPost('hello').catch((reason: unknown) => reason);

  expect(ada.viewer).toBeUndefined();
  expect(script.server.seen[0]?.headers.authorization).toBe('Bearer app-token');
  expect(script.server.seen[0]?.line).not.toContain('connection_status');
  expect(refusal).toMatchObject({ fault: 'unauthorized', message: expect.stringContaining('npx fanfare auth x') });
});

test('an app requests its token once', async () => {
  await using script = await scriptX(
    [
      ['POST /oauth2/token', { json: { token_type: 'bearer', access_token: 'app-token' } }],
      ['GET /2/trends/by/woeid/1?max_trends=20', rows([{ trend_name: '#chess', tweet_count: 12 }, { trend_name: 'Lisbon' }])],
      ['GET /2/trends/by/woeid/1?max_trends=20', rows([])],
    ],
    { tokens: undefined, apiKey: 'key', apiSecret: 's/crèt', accessToken: '7-abc', accessSecret: 'as' },
  );

  const trends = await script.social.getTrends();
  await script.social.getTrends();

  expect(trends).toMatchObject([
    { rank: 1, name: '#chess', kind: 'hashtag', postCount: 12 },
    { rank: 2, name: 'Lisbon', kind: 'phrase' },
  ]);
  expect(script.server.seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from('key:s%2Fcr%C3%A8t').toString('base64')}`);
  expect(script.server.seen[1]?.headers.authorization).toBe('Bearer app-token');
});

test('a refused signature is an error with advice', async () => {
  await using script = await scriptX([['GET /2/users/me', problem(401, { title: 'Unauthorized' })]], {
    tokens: undefined,
    apiKey: 'key',
    apiSecret: 'api-s3cret',
    accessToken: '7-abc',
    accessSecret: 'access-s3cret',
  });

  const error: unknown = await script.social.getUserInfo().catch((reason: unknown) => reason);

  expect(error).toMatchObject({ fault: 'unauthorized', message: expect.stringMatching(/four keys.*clock/) });
  expect(script.server.seen[0]?.headers.authorization).toMatch(/^OAuth oauth_consumer_key="key"/);
  expect(String(error)).not.toContain('s3cret');
});

test('bookmarks need a token, not a signature', async () => {
  const keys = { tokens: undefined, apiKey: 'key', apiSecret: 'secret', accessToken: '7-abc', accessSecret: 'secret' };
  await using script = await scriptX([ME], keys);

  await expect(script.social.bookmarkPost('5')).rejects.toMatchObject({
    fault: 'unauthorized',
    message: expect.stringContaining('npx fanfare auth x'),
  });
});

test('an unreachable server and a wrong server are different errors', async () => {
  const clock = new ManualClock();
  const signedIn = { tokens: tokensInMemory(SIGNED_IN), clock };
  await using html = await scriptHttp([[ME[0], { text: '<html>hello</html>' }]], { lineOf: (line) => line.split('?')[0] ?? '' });
  await using nowhere = x({ ...signedIn, url: UNREACHABLE });
  await using other = x({ ...signedIn, url: html.url });

  await expect(whileSleeping(clock, new SocialAsync({ platform: nowhere, clock }).createPost('x'))).rejects.toMatchObject({
    fault: 'unreachable',
  });
  await expect(new SocialAsync({ platform: other, clock }).getUserInfo()).rejects.toMatchObject({ fault: 'malformed' });
});

const NO = problem(401, { title: 'Unauthorized' });
const NOT_HERE = /The sign-in of x is valid, so the plan or the permissions of the app may not include this request/;

test('a 401 at one endpoint costs one renewal, and does not blame the sign-in', async () => {
  const mentions = 'GET /2/users/7/mentions?max_results=100';
  await using script = await scriptX([ME, [mentions, NO], [RENEW, NEXT], [mentions, NO], ME, [mentions, NO], [mentions, NO]]);

  for (let count = 0; count < 3; count++) {
    await expect(script.social.getMentions()).rejects.toMatchObject({
      fault: 'unauthorized',
      status: 401,
      message: expect.stringMatching(NOT_HERE),
    });
  }

  expect(script.server.seen.filter(({ line }) => line === RENEW).length).toBe(1);
});

test('a token that stops to be valid later is renewed again', async () => {
  const mentions = 'GET /2/users/7/mentions?max_results=100';
  await using script = await scriptX([
    ME,
    [mentions, NO],
    [RENEW, NEXT],
    [mentions, NO],
    ME,
    [mentions, NO],
    [ME[0], NO],
    [RENEW, NEXT],
    [mentions, rows([])],
  ]);

  await expect(script.social.getMentions()).rejects.toThrow(NOT_HERE);
  await script.clock.advance(16 * 60_000);

  expect((await script.social.getMentions()).items).toEqual([]);
});

test('if X refuses the account for a read that an app can do, the app reads', async () => {
  await using script = await scriptX(
    [
      ['GET /2/tweets/5', NO],
      [RENEW, NEXT],
      ['GET /2/tweets/5', NO],
      ['GET /2/tweets/5', one(postRow('5'))],
    ],
    { bearerToken: 'app-token' },
  );

  expect(await script.social.postDetail('5')).toMatchObject({ id: '5' });
  expect(script.server.seen.at(-1)?.headers.authorization).toBe('Bearer app-token');
});

test('if X refuses to name the account too, the error is about the sign-in', async () => {
  const mentions = 'GET /2/users/7/mentions?max_results=100';
  await using script = await scriptX([ME, [mentions, NO], [RENEW, NEXT], [mentions, NO], [ME[0], NO]]);

  await expect(script.social.getMentions()).rejects.toThrow('X rejects a sign-in that was just refreshed');
});

test('a signature that X refuses at one endpoint does not blame the keys', async () => {
  const mentions = 'GET /2/users/7/mentions?max_results=100';
  const keys = { tokens: undefined, apiKey: 'key', apiSecret: 'secret', accessToken: '7-abc', accessSecret: 'secret' };
  await using script = await scriptX([ME, [mentions, NO], ME], keys);

  await expect(script.social.getMentions()).rejects.toThrow(NOT_HERE);
});
