import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { signInToMastodon } from '#adapters/mastodon/auth/sign-in.ts';
import { signInToX } from '#adapters/x/auth/sign-in.ts';
import type { BrowserSignIn } from '#src/http/secrets/sign-in.ts';
import { startSandbox, type Sandbox } from '#sandbox/index.ts';
import { ManualClock } from '../support/manual-clock.ts';

const REDIRECT = 'http://127.0.0.1:8082/callback';
const clock = new ManualClock();

function ofX({ onRequest }: Sandbox, secret?: string): BrowserSignIn {
  const { X_API_URL: url, X_CLIENT_ID: clientId = '', X_CLIENT_SECRET } = onRequest['x'] ?? {};
  return signInToX({ url, clientId, clientSecret: secret ?? X_CLIENT_SECRET, clock });
}

function ofMastodon({ onRequest }: Sandbox): BrowserSignIn {
  return signInToMastodon({ url: onRequest['mastodon']?.['MASTODON_URL'] ?? '', clock });
}

describe.for([
  ['x', ofX],
  ['mastodon', ofMastodon],
] as const)('signing in to %s', ([platform, signInOf]) => {
  test('requests scopes with reasons, at an address without secrets', async () => {
    await using sandbox = await startSandbox({ clock });
    const way = signInOf(sandbox);

    const { url } = await way.begin(REDIRECT);
    const query = new URL(url).searchParams;

    expect(query.get('scope')?.split(' ')).toEqual(way.scopes.map(({ name }) => name));
    expect(way.scopes.every(({ why }) => why.length > 10)).toBe(true);
    expect([query.get('redirect_uri'), query.get('code_challenge_method')]).toEqual([REDIRECT, 'S256']);
    expect(url).not.toContain('secret');
    expect((await signInOf(sandbox).begin(REDIRECT)).url).not.toBe(url);
  });

  test('with an invalid code is an error with advice', async () => {
    await using sandbox = await startSandbox({ clock });
    const way = signInOf(sandbox);
    const signIn = await way.begin(REDIRECT);

    await expect(way.finish({ code: 'a-code-that-is-none', state: signIn.state }, signIn.kept)).rejects.toMatchObject({
      platform,
      message: expect.stringMatching(/does not accept this code: .* Run the command again\./),
    });
  });

  test('with the answer to another sign-in is refused before any request', async () => {
    await using sandbox = await startSandbox({ clock });
    const way = signInOf(sandbox);
    const signIn = await way.begin(REDIRECT);

    for (const state of ['of another', '', `${signIn.state}x`]) {
      await expect(way.finish({ code: 'c', state }, signIn.kept)).rejects.toMatchObject({
        message: expect.stringMatching(/belongs to another sign-in/),
      });
    }
    expect(new URL(signIn.url).searchParams.get('state')).toBe(signIn.state);
  });
});

test('tokens of X are bound to the issuing address', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end('{"access_token":"a","refresh_token":"r","expires_in":7200}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  try {
    const way = signInToX({ url: `http://127.0.0.1:${port}/`, clientId: 'client', clock });
    const signIn = await way.begin(REDIRECT);

    expect((await way.finish({ code: 'c', state: signIn.state }, signIn.kept)).tokens).toMatchObject({
      accessToken: 'a',
      url: `http://127.0.0.1:${port}`,
    });
  } finally {
    server.close();
  }
});

test('a wrong secret of an X app is an error without the secret', async () => {
  await using sandbox = await startSandbox({ clock });
  const way = ofX(sandbox, 'not-the-secret');
  const signIn = await way.begin(REDIRECT);

  const error: unknown = await way.finish({ code: 'c', state: signIn.state }, signIn.kept).catch((reason: unknown) => reason);

  expect(error).toMatchObject({ fault: 'unauthorized', message: expect.stringMatching(/check its client id and its client secret/) });
  expect(String(error)).not.toContain('not-the-secret');
});

test.for([
  ['a page', '<html>Welcome</html>', 200],
  ['nothing', '', 200],
  ['another JSON', '{"ok":true}', 200],
  ['a refusal', 'Not found', 404],
] as const)('a server with %s as response is not a Mastodon server', async ([, body, status]) => {
  const server = createServer((_request, response) => response.writeHead(status).end(body));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  try {
    await expect(signInToMastodon({ url: `http://127.0.0.1:${port}`, clock }).begin(REDIRECT)).rejects.toMatchObject({
      message: expect.stringMatching(/is not a Mastodon server: check its address/),
    });
  } finally {
    server.close();
  }
});
