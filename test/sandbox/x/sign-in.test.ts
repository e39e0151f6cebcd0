import { OAuth1, OAuth2 } from '@xdevplatform/xdk';
import { join } from 'node:path';
import { TwitterApi } from 'twitter-api-v2';
import { Agent, fetch, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { Redirect, scene, type Scene } from './scene.ts';

const CALLBACK = 'http://127.0.0.1:49152/callback';
const VERIFIER = 'a-verifier-that-is-long-enough-to-be-one-in-this-test';

/** Sends what goes to `api.x.com` by the `fetch` of Node to the sandbox, until it is disposed. */
function redirectedFetch({ sandbox }: Scene): Disposable {
  const before = getGlobalDispatcher();
  setGlobalDispatcher(
    new Agent().compose((dispatch) => (options, handler) => {
      const isX = new URL(String(options.origin)).hostname === 'api.x.com';
      return dispatch(isX ? { ...options, origin: sandbox.url, path: `/x${options.path}` } : options, handler);
    }),
  );
  return { [Symbol.dispose]: () => setGlobalDispatcher(before) };
}

/** The address to which the page sends the browser after a click; the page's own address is moved from x.com to the sandbox. */
async function clicked(here: Scene, officialPage: string, answer = 'authorize'): Promise<URL> {
  const page = officialPage.replace('https://x.com/', `${here.url}/`);
  const shown = await fetch(page);
  expect(await shown.text()).toContain(`value="${answer}"`);
  const response = await fetch(page, { method: 'POST', body: new URLSearchParams({ answer }), redirect: 'manual' });
  expect(response.status).toBe(302);
  return new URL(response.headers.get('location') ?? '');
}

async function signIn(here: Scene, scope = ['tweet.read', 'users.read', 'tweet.write', 'offline.access']): Promise<OAuth2> {
  const { X_CLIENT_ID: clientId = '', X_CLIENT_SECRET: clientSecret = '' } = here.environment;
  const oauth2 = new OAuth2({ clientId, clientSecret, redirectUri: CALLBACK, scope });
  await oauth2.setPkceParameters(VERIFIER);
  const back = await clicked(here, await oauth2.getAuthorizationUrl('the-state'));
  expect(back.searchParams.get('state')).toBe('the-state');
  await oauth2.exchangeCode(back.searchParams.get('code') ?? '', VERIFIER);
  return oauth2;
}

const grant = (here: Scene, form: Record<string, string>) => {
  const { X_CLIENT_ID, X_CLIENT_SECRET } = here.environment;
  const basic = Buffer.from(`${X_CLIENT_ID}:${X_CLIENT_SECRET}`).toString('base64');
  return here.send('POST', '/2/oauth2/token', { form, headers: { authorization: `Basic ${basic}` } });
};

describe('signing in by OAuth 2', () => {
  test('the official client: page, click, code, tokens, and who one is then', async () => {
    await using here = await scene();
    using _ = redirectedFetch(here);

    const oauth2 = await signIn(here);
    const token = oauth2.getToken();

    expect(token).toMatchObject({ token_type: 'bearer', expires_in: 7200, scope: 'tweet.read users.read tweet.write offline.access' });
    const me = await here.xdk({ accessToken: token?.access_token ?? '' }).users.getMe();
    expect(me.data).toEqual({ id: here.selfId, name: 'Fanfare', username: 'fanfare' });
  });

  test('the other client: its link, its code, and a refresh', async () => {
    await using here = await scene();
    const { X_CLIENT_ID: clientId = '', X_CLIENT_SECRET: clientSecret = '' } = here.environment;
    const app = new TwitterApi({ clientId, clientSecret }, { httpAgent: new Redirect(here.sandbox.url) });
    const { url, codeVerifier, state } = app.generateOAuth2AuthLink(CALLBACK, { scope: ['tweet.read', 'users.read', 'offline.access'] });
    const back = await clicked(here, url);
    expect(back.searchParams.get('state')).toBe(state);

    const first = await app.loginWithOAuth2({ code: back.searchParams.get('code') ?? '', codeVerifier, redirectUri: CALLBACK });
    const next = await app.refreshOAuth2Token(first.refreshToken ?? '');

    expect(next.refreshToken).not.toBe(first.refreshToken);
    expect((await next.client.v2.me()).data.username).toBe('fanfare');
    await app.revokeOAuth2Token(next.accessToken);
    await expect(next.client.v2.me()).rejects.toMatchObject({ code: 401 });
  });

  test('an exchanged refresh token that comes again ends all that came of the same grant', async () => {
    await using here = await scene();
    using _ = redirectedFetch(here);
    const oauth2 = await signIn(here);
    const first = oauth2.getToken()?.refresh_token ?? '';
    const second = await oauth2.refreshToken(first);
    const x = here.xdk({ accessToken: second.access_token });
    expect((await x.users.getMe()).data?.username).toBe('fanfare');

    await expect(oauth2.refreshToken(first)).rejects.toThrow('Value passed for the token was invalid.');

    await expect(x.users.getMe()).rejects.toMatchObject({ status: 401 });
    await expect(oauth2.refreshToken(second.refresh_token)).rejects.toThrow('400');
  });

  test('who lost the answer to a refresh has lost the grant', async () => {
    await using here = await scene();
    const { refreshToken } = await here.session();
    here.sandbox.faults.add({ platform: 'x', kind: 'resetAfter', route: '/oauth2/token', times: 1 });

    await expect(grant(here, { grant_type: 'refresh_token', refresh_token: refreshToken })).rejects.toThrow('fetch failed');

    expect(await grant(here, { grant_type: 'refresh_token', refresh_token: refreshToken })).toMatchObject({ status: 400 });
  });

  test('an access token opens something for two hours', async () => {
    await using here = await scene();
    const { accessToken } = await here.session();
    const x = here.xdk({ accessToken });

    await here.clock.advance(2 * 3_600_000 - 1);
    expect((await x.users.getMe()).data?.username).toBe('fanfare');
    await here.clock.advance(1);

    await expect(x.users.getMe()).rejects.toMatchObject({ status: 401 });
  });

  test('a code is good for half a minute, and once', async () => {
    await using here = await scene();
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: here.environment['X_CLIENT_ID'] ?? '',
      redirect_uri: CALLBACK,
      scope: 'tweet.read users.read',
      state: 's',
      code_challenge: VERIFIER,
      code_challenge_method: 'plain',
    });
    const newCode = async (): Promise<string> =>
      (await clicked(here, `${here.url}/i/oauth2/authorize?${query.toString()}`)).searchParams.get('code') ?? '';
    const exchange = (code: string, more = {}) =>
      grant(here, { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER, ...more });

    const early = await newCode();
    await here.clock.advance(29_999);
    const first = await exchange(early);
    const again = await exchange(early);
    const late = await newCode();
    await here.clock.advance(30_000);

    expect(first.status).toBe(200);
    expect(first.body).not.toHaveProperty('refresh_token');
    expect(again).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', error_description: 'Value passed for the authorization code was invalid.' },
    });
    expect((await exchange(late)).status).toBe(400);
    expect(await exchange(await newCode(), { code_verifier: 'another' })).toMatchObject({
      status: 400,
      body: { error_description: expect.stringContaining('code verifier') },
    });
    expect((await exchange(await newCode(), { redirect_uri: 'http://127.0.0.1:1/' })).status).toBe(400);
  });

  test('who cancels sends the app back without a code', async () => {
    await using here = await scene();
    const oauth2 = new OAuth2({ clientId: here.environment['X_CLIENT_ID'] ?? '', redirectUri: CALLBACK });
    await oauth2.setPkceParameters(VERIFIER);

    const back = await clicked(here, await oauth2.getAuthorizationUrl('s'), 'cancel');

    expect(Object.fromEntries(back.searchParams)).toEqual({ state: 's', error: 'access_denied' });
  });

  test.for([
    ['client_id', 'nobody'],
    ['redirect_uri', 'https://elsewhere.example/'],
    ['scope', 'tweet.read everything'],
    ['code_challenge', ''],
    ['state', ''],
    ['response_type', 'token'],
    ['code_challenge_method', 'S512'],
  ] as const)('the page has no button where %s is %j', async ([name, value]) => {
    await using here = await scene();
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: here.environment['X_CLIENT_ID'] ?? '',
      redirect_uri: CALLBACK,
      scope: 'tweet.read',
      state: 's',
      code_challenge: VERIFIER,
      code_challenge_method: 'S256',
      [name]: value,
    });

    const { status, body } = await here.send('GET', `/i/oauth2/authorize?${query.toString()}`);

    expect(status).toBe(400);
    expect(String(body['text'])).not.toContain('<button');
  });

  test('a client that can keep no secret names itself; one that has a secret must show it', async () => {
    await using here = await scene();
    const { refreshToken } = await here.session();
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken };

    const unshown = await here.send('POST', '/2/oauth2/token', { form: { ...form, client_id: here.environment['X_CLIENT_ID'] ?? '' } });
    const native = await here.send('POST', '/2/oauth2/token', { form: { ...form, client_id: 'SandboxXNativeClient00000' } });

    expect(unshown).toMatchObject({ status: 401, body: { error: 'unauthorized_client' } });
    // Known, but this token is another app's.
    expect(native).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  test('an account has to have allowed what is done', async () => {
    await using here = await scene();
    const { accessToken } = await here.session({ scopes: ['tweet.read', 'users.read'] });
    const x = here.xdk({ accessToken });

    expect((await x.users.getMe()).data?.username).toBe('fanfare');
    await expect(x.posts.create({ text: 'Hello' })).rejects.toMatchObject({
      status: 403,
      data: { title: 'Forbidden', type: 'about:blank', status: 403, detail: 'Forbidden' },
    });
  });

  test('what was given out opens the same after a restart', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'sandbox.sqlite');
    const before = await scene({ file });
    const { accessToken } = await before.session();
    const { data } = await before.xdk({ accessToken }).posts.create({ text: 'Before' });
    await before[Symbol.asyncDispose]();

    await using after = await scene({ file });
    const read = await after.xdk({ accessToken }).posts.getById(data?.id ?? '');

    expect(read.data?.text).toBe('Before');
  });
});

describe('signing by OAuth 1.0a', () => {
  test('both clients are who they say, for reads with a query and for writes', async () => {
    await using here = await scene();
    const session = await here.session();
    const [x, { v2 }] = [here.xdkOAuth1(session), here.twitterApiOAuth1(session)];

    const { data } = await x.posts.create({ text: "It's (mostly) signed! ~*" });
    const read = await x.users.getMe({ userFields: ['created_at', 'public_metrics'] });
    const other = await v2.tweet('And this one, too');

    expect(read.data).toMatchObject({ username: 'fanfare', createdAt: '2024-02-01T12:00:00.000Z' });
    expect((await v2.me({ 'user.fields': ['verified'] })).data.verified).toBe(false);
    expect((await v2.tweets([data?.id ?? '', other.data.id])).data).toHaveLength(2);
  });

  test('the variables that the sandbox prints sign its account in', async () => {
    await using here = await scene();
    const { X_ACCESS_TOKEN: oauthToken = '', X_ACCESS_SECRET: oauthTokenSecret = '' } = here.environment;

    expect((await here.twitterApiOAuth1({ oauthToken, oauthTokenSecret }).v2.me()).data.id).toBe(here.selfId);
  });

  test.for(['api secret', 'token secret', 'token'])('a wrong %s is found out', async (part) => {
    await using here = await scene();
    const session = await here.session();
    const wrong = { 'api secret': {}, 'token secret': { oauthTokenSecret: 'wrong' }, token: { oauthToken: '1-nobody' } }[part] ?? {};
    const secrets = part === 'api secret' ? { apiSecret: 'wrong' } : {};

    await expect(here.xdkOAuth1({ ...session, ...wrong }, secrets).users.getMe()).rejects.toMatchObject({
      status: 401,
      data: { title: 'Unauthorized' },
    });
    await expect(here.twitterApiOAuth1({ ...session, ...wrong }, secrets).v2.me()).rejects.toMatchObject({ code: 401 });
  });

  test('a clock that is six minutes off, and a request that comes twice, are refused', async () => {
    await using here = await scene();
    const session = await here.session();
    const { X_API_KEY: apiKey = '', X_API_SECRET: apiSecret = '' } = here.environment;
    const signer = new OAuth1({
      apiKey,
      apiSecret,
      callback: 'oob',
      accessToken: session.oauthToken,
      accessTokenSecret: session.oauthTokenSecret,
    });
    const authorization = await signer.buildRequestHeader('GET', `${here.url}/2/users/me`);

    const first = await here.send('GET', '/2/users/me', { headers: { authorization } });
    const again = await here.send('GET', '/2/users/me', { headers: { authorization } });
    await here.clock.advance(6 * 60_000);

    expect([first.status, again.status]).toEqual([200, 401]);
    await expect(here.twitterApiOAuth1(session).v2.me()).rejects.toMatchObject({ code: 401 });
  });

  test('a token that was taken back opens nothing', async () => {
    await using here = await scene();
    const session = await here.session();
    await here.control('/revoke', { token: session.oauthToken });

    await expect(here.twitterApiOAuth1(session).v2.me()).rejects.toMatchObject({ code: 401 });
  });
});

describe("the app's own token", () => {
  test('comes for its key and secret, and reads but is nobody', async () => {
    await using here = await scene();
    const { X_API_KEY: appKey = '', X_API_SECRET: appSecret = '', X_BEARER_TOKEN } = here.environment;
    const app = await new TwitterApi({ appKey, appSecret }, { httpAgent: new Redirect(here.sandbox.url) }).appLogin();

    expect(app.getActiveTokens()).toEqual({ type: 'oauth2', bearerToken: X_BEARER_TOKEN });
    expect((await app.v2.userByUsername('Fanfare')).data.id).toBe(here.selfId);
    await expect(app.v2.me()).rejects.toMatchObject({
      code: 403,
      data: { title: 'Unsupported Authentication', detail: expect.stringContaining('OAuth 2.0 Application-Only is forbidden') },
    });
  });

  test('does not come for a wrong secret', async () => {
    await using here = await scene();
    const app = new TwitterApi(
      { appKey: here.environment['X_API_KEY'] ?? '', appSecret: 'wrong' },
      { httpAgent: new Redirect(here.sandbox.url) },
    );

    await expect(app.appLogin()).rejects.toMatchObject({ code: 403, data: { errors: [{ code: 99 }] } });
  });

  test('who shows no token, or a made-up one, is nobody', async () => {
    await using here = await scene();

    expect(await here.send('GET', '/2/users/me')).toMatchObject({ status: 401, body: { title: 'Unauthorized', status: 401 } });
    await expect(here.xdk({ bearerToken: 'made-up' }).users.getByUsername('fanfare')).rejects.toMatchObject({ status: 401 });
  });
});
