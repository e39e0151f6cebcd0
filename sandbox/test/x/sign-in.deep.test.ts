import { createHash } from 'node:crypto';
import { fetch } from 'undici';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { openX, type OpenX } from './open-x.ts';

const CALLBACK = 'http://127.0.0.1:49152/callback';
const VERIFIER = 'a-verifier-that-is-long-enough-for-this-test-of-the-sandbox';

async function authorize(x: OpenX, answer = 'authorize'): Promise<URL> {
  const code_challenge = createHash('sha256').update(VERIFIER).digest('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: x.environment['X_CLIENT_ID'] ?? '',
    redirect_uri: CALLBACK,
    scope: 'tweet.read users.read offline.access',
    state: 'the-state',
    code_challenge,
    code_challenge_method: 'S256',
  });
  const page = `${x.url}/i/oauth2/authorize?${query.toString()}`;
  const response = await fetch(page, { method: 'POST', body: new URLSearchParams({ answer }), redirect: 'manual' });
  return new URL(response.headers.get('location') ?? '');
}

function exchange(x: OpenX, form: Record<string, string>): ReturnType<OpenX['send']> {
  const { X_CLIENT_ID, X_CLIENT_SECRET } = x.environment;
  const basic = Buffer.from(`${X_CLIENT_ID}:${X_CLIENT_SECRET}`).toString('base64');
  return x.send('POST', '/2/oauth2/token', { form, headers: { authorization: `Basic ${basic}` } });
}

test('a code becomes a token pair once, and a second use of a refresh token ends the grant', async () => {
  await using x = await openX();
  const target = await authorize(x);
  const code = {
    grant_type: 'authorization_code',
    code: target.searchParams.get('code') ?? '',
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
  };

  const first = await exchange(x, code);
  const repeated = await exchange(x, code);
  const refresh = { grant_type: 'refresh_token', refresh_token: String(first.body['refresh_token']) };
  const second = await exchange(x, refresh);
  const me = await x.send('GET', '/2/users/me', { token: String(second.body['access_token']) });
  const reused = await exchange(x, refresh);
  const ended = await x.send('GET', '/2/users/me', { token: String(second.body['access_token']) });

  expect(target.searchParams.get('state')).toBe('the-state');
  expect(first.body).toMatchObject({ token_type: 'bearer', expires_in: 7200, scope: 'tweet.read users.read offline.access' });
  expect([repeated.status, me.status, reused.status, ended.status]).toEqual([400, 200, 400, 401]);
});

test('a cancelled request returns access_denied', async () => {
  await using x = await openX();
  expect((await authorize(x, 'cancel')).searchParams.get('error')).toBe('access_denied');
});

test('an access token expires after two hours', async () => {
  await using x = await openX();
  const { accessToken: token } = await x.session();
  await x.clock.advance(2 * 3_600_000);
  expect((await x.send('GET', '/2/users/me', { token })).status).toBe(401);
});

test('independent clients sign requests with OAuth 1.0a, and a wrong secret is refused', async () => {
  // The clients sign the current time.
  await using x = await openX({ names: 'tweet', clock: new ManualClock(Date.now()) });
  const session = await x.session();

  expect((await x.twitterApiOAuth1(session).v2.me()).data.username).toBe('fanfare');
  await expect(x.xdkOAuth1(session, 'wrong').users.getMe()).rejects.toMatchObject({ status: 401 });
});

test('X refuses missing scopes, the token of the app, and suspended accounts', async () => {
  await using x = await openX();
  const { accessToken: token } = await x.session();
  const reader = await x.session({ scopes: ['tweet.read', 'users.read'] });
  const app = x.environment['X_BEARER_TOKEN'] ?? '';
  const create = (by: string): ReturnType<OpenX['send']> => x.send('POST', '/2/tweets', { token: by, json: { text: 'no' } });

  expect((await create(reader.accessToken)).status).toBe(403);
  expect((await create(app)).body).toMatchObject({ title: 'Unsupported Authentication' });
  await x.control('/suspend', {});
  expect((await create(token)).status).toBe(403);
});
