import { createOAuthAPIClient, createRestAPIClient } from 'masto';
import { createHash } from 'node:crypto';
import { fetch, type Response } from 'undici';
import { describe, expect, test } from 'vitest';
import { judge, refusalOf, type Judged } from './judge.ts';

const OOB = 'urn:ietf:wg:oauth:2.0:oob';
const VERIFIER = 'a-verifier-that-nobody-else-knows-and-that-is-long-enough';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

interface App {
  readonly clientId: string;
  readonly clientSecret: string;
}

async function register(judged: Judged, redirectUris = OOB): Promise<App> {
  const client = await judged.stranger.v1.apps.create({ clientName: 'Judge', redirectUris, scopes: 'read write' });
  return { clientId: client.clientId ?? '', clientSecret: client.clientSecret ?? '' };
}

/** Presses a button of the page, as a browser does. */
async function press(judged: Judged, asked: Readonly<Record<string, string>>, decision: string): Promise<Response> {
  const page = await fetch(`${judged.url}/oauth/authorize?${new URLSearchParams(asked).toString()}`);
  const html = await page.text();
  const fields = [...html.matchAll(/<input[^>]*name="([^"]+)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );
  const form = new URLSearchParams([...fields.map(([name, value]) => [name, value.replaceAll('&amp;', '&')]), ['decision', decision]] as [
    string,
    string,
  ][]); // pairs all
  return fetch(`${judged.url}/oauth/authorize`, { method: 'POST', body: form, redirect: 'manual' });
}

function exchange(judged: Judged, fields: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(`${judged.url}/oauth/token`, { method: 'POST', body: new URLSearchParams({ grant_type: 'authorization_code', ...fields }) });
}

describe('signing in', () => {
  test('a code that a person pastes becomes a token that opens the API, once', async () => {
    await using judged = await judge();
    const { clientId, clientSecret } = await register(judged);
    const asked = { response_type: 'code', client_id: clientId, redirect_uri: OOB, scope: 'read write:statuses' };

    const answer = await press(judged, asked, 'authorize');
    const shown = await (await fetch(new URL(answer.headers.get('location') ?? '', `${judged.url}/oauth/authorize`))).text();
    const [, code = ''] = /class="oauth-code"[^>]*value="([^"]+)"/.exec(shown) ?? [];
    const oauth = createOAuthAPIClient({ url: judged.url });
    const token = await oauth.token.create({ grantType: 'authorization_code', code, clientId, clientSecret, redirectUri: OOB });
    const masto = createRestAPIClient({ url: judged.url, accessToken: token.accessToken });

    expect(token).toMatchObject({ tokenType: 'Bearer', scope: 'read write:statuses' });
    expect((await masto.v1.accounts.verifyCredentials()).acct).toBe('fanfare');
    expect((await masto.v1.statuses.create({ status: 'signed in' })).application).toEqual({ name: 'Judge', website: null });
    expect(await refusalOf(masto.v1.lists.create({ title: 'x' }))).toEqual([403, 'This action is outside the authorized scopes']);
    const again = await exchange(judged, { code, client_id: clientId, client_secret: clientSecret, redirect_uri: OOB });
    expect([again.status, await again.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
  });

  test('a browser comes back with the code and the state, and PKCE is checked', async () => {
    await using judged = await judge();
    const back = 'http://127.0.0.1:9/callback';
    const { clientId, clientSecret } = await register(judged, back);
    const asked = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: back,
      scope: 'read',
      state: 'a&b',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
    };
    const comeBack = async (): Promise<URL> => new URL((await press(judged, asked, 'authorize')).headers.get('location') ?? '');
    const owned = { client_id: clientId, client_secret: clientSecret, redirect_uri: back };

    const [first, second] = [await comeBack(), await comeBack()];
    const wrong = await exchange(judged, { ...owned, code: first.searchParams.get('code') ?? '', code_verifier: 'another' });
    const right = await exchange(judged, { ...owned, code: second.searchParams.get('code') ?? '', code_verifier: VERIFIER });

    expect(`${first.origin}${first.pathname}`).toBe(back);
    expect(first.searchParams.get('state')).toBe('a&b');
    expect([wrong.status, right.status]).toEqual([400, 200]);
  });

  test('whoever says no is believed', async () => {
    await using judged = await judge();
    const back = 'http://127.0.0.1:9/callback';
    const { clientId } = await register(judged, back);

    const answer = await press(judged, { response_type: 'code', client_id: clientId, redirect_uri: back, state: 's' }, 'deny');

    expect(Object.fromEntries(new URL(answer.headers.get('location') ?? '').searchParams)).toMatchObject({
      error: 'access_denied',
      state: 's',
    });
  });

  test.for([
    ['a client that is not known', { client_id: 'made-up' }],
    ['an address that was not registered', { redirect_uri: 'https://elsewhere.example/' }],
    ['another kind of answer', { response_type: 'token' }],
    ['a scope that was not registered', { scope: 'follow' }],
    ['a scope that does not exist', { scope: 'read:everything' }],
    ['a challenge in the clear', { code_challenge: 'x', code_challenge_method: 'plain' }],
  ] as const)('nobody is asked for %s', async ([, wrong]) => {
    await using judged = await judge();
    const { clientId } = await register(judged);
    const asked = new URLSearchParams({ response_type: 'code', client_id: clientId, redirect_uri: OOB, scope: 'read', ...wrong });

    const page = await fetch(`${judged.url}/oauth/authorize?${asked.toString()}`);

    expect(page.status).toBe(400);
    expect(await page.text()).not.toContain('<form');
  });

  test('a code is good for ten minutes', async () => {
    await using judged = await judge();
    const back = 'http://127.0.0.1:9/callback';
    const { clientId, clientSecret } = await register(judged, back);
    const answer = await press(judged, { response_type: 'code', client_id: clientId, redirect_uri: back }, 'authorize');
    const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';

    await judged.clock.advance(10 * 60_000);

    expect((await exchange(judged, { code, client_id: clientId, client_secret: clientSecret, redirect_uri: back })).status).toBe(400);
  });

  test('a wrong secret is no client', async () => {
    await using judged = await judge();
    const { clientId } = await register(judged);

    const answer = await exchange(judged, { grant_type: 'client_credentials', client_id: clientId, client_secret: 'wrong' });

    expect([answer.status, await answer.json()]).toMatchObject([401, { error: 'invalid_client' }]);
  });

  test('the document says where everything is', async () => {
    await using judged = await judge();

    const document = await (await fetch(`${judged.url}/.well-known/oauth-authorization-server`)).json();

    expect(document).toMatchObject({
      issuer: `${judged.url}/`,
      authorization_endpoint: `${judged.url}/oauth/authorize`,
      token_endpoint: `${judged.url}/oauth/token`,
      app_registration_endpoint: `${judged.url}/api/v1/apps`,
      code_challenge_methods_supported: ['S256'],
    });
  });

  test('an app that registers wrongly is told so', async () => {
    await using judged = await judge();
    const create = (redirectUris: string, scopes: string) => judged.stranger.v1.apps.create({ clientName: 'x', redirectUris, scopes });

    expect(await refusalOf(create('nowhere', 'read'))).toEqual([422, 'Validation failed: Redirect URI must be an absolute URI.']);
    expect((await refusalOf(create(OOB, 'all')))[0]).toBe(422);
  });
});

describe('tokens', () => {
  test("an app's own token opens what is nobody's", async () => {
    await using judged = await judge();
    const { clientId, clientSecret } = await register(judged);
    const oauth = createOAuthAPIClient({ url: judged.url });
    const { accessToken } = await oauth.token.create({
      grantType: 'client_credentials',
      clientId,
      clientSecret,
      redirectUri: OOB,
      scope: 'read',
    });
    const masto = createRestAPIClient({ url: judged.url, accessToken });

    expect((await masto.v1.apps.verifyCredentials()).name).toBe('Judge');
    expect((await masto.v1.accounts.lookup({ acct: 'ada' })).acct).toBe('ada');
    expect(await refusalOf(masto.v1.timelines.home.list())).toEqual([422, 'This method requires an authenticated user']);
  });

  test('a token that was revoked, one that never was, none at all, and a suspended account are told apart', async () => {
    await using judged = await judge();
    const { clientId, clientSecret } = await register(judged);
    const oauth = createOAuthAPIClient({ url: judged.url });
    const { accessToken: token } = await oauth.token.create({ grantType: 'client_credentials', clientId, clientSecret, redirectUri: OOB });
    await oauth.revoke({ clientId, clientSecret, token });
    const ask = (accessToken?: string) => createRestAPIClient({ url: judged.url, ...(accessToken !== undefined && { accessToken }) });

    expect(await refusalOf(ask(token).v1.instance.fetch())).toEqual([401, 'The access token was revoked']);
    expect(await refusalOf(ask('made-up').v1.timelines.home.list())).toEqual([401, 'The access token is invalid']);
    expect(await refusalOf(ask().v1.timelines.home.list())).toEqual([401, 'The access token is invalid']);
    await judged.order({ suspended: true });
    expect(await refusalOf(judged.masto.v1.timelines.home.list())).toEqual([403, 'Your login is currently disabled']);
  });

  test('all tokens can be taken back at once', async () => {
    await using judged = await judge();
    await judged.masto.v1.accounts.verifyCredentials();

    await fetch(`${judged.sandbox.url}/control/mastodon/revoke`, { method: 'POST', headers: { 'content-type': 'application/json' } });

    expect((await refusalOf(judged.masto.v1.accounts.verifyCredentials()))[0]).toBe(401);
  });

  test("nobody revokes another's token", async () => {
    await using judged = await judge();
    const { clientId, clientSecret } = await register(judged);

    const answer = createOAuthAPIClient({ url: judged.url }).revoke({ clientId, clientSecret, token: judged.token });

    expect((await refusalOf(answer))[0]).toBe(403);
    expect((await judged.masto.v1.accounts.verifyCredentials()).acct).toBe('fanfare');
  });
});
