import { AtpAgent, type AtpSessionData, type AtpSessionEvent } from '@atproto/api';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { openBluesky, refusalOf, type BlueskyFixture } from './open-bluesky.ts';

const HOUR_MS = 3_600_000;

test('an app password signs in to the account, and the session contains the address of its server', async () => {
  await using server = await openBluesky();
  const { BLUESKY_HANDLE: identifier = '', BLUESKY_APP_PASSWORD: password = '' } = server.environment;
  const { did } = await server.account();
  const agent = new AtpAgent({ service: server.sandbox.url });

  for (const name of [identifier, identifier.toUpperCase(), did]) {
    await agent.login({ identifier: name, password });
    expect(agent.session).toMatchObject({ did, handle: identifier, active: true });
  }

  expect(agent.pdsUrl?.href).toBe(`${server.sandbox.url}/`);
  for (const wrong of [
    { identifier, password: 'wrong' },
    { identifier: 'nobody.sandbox.test', password },
  ]) {
    expect(await refusalOf(agent.login(wrong))).toMatchObject({ status: 401, error: 'AuthenticationRequired' });
  }
});

test('an account that is taken down cannot sign in or send requests', async () => {
  await using server = await openBluesky();
  const agent = await server.signIn();
  await server.order('takedown');

  expect(await refusalOf(server.signIn())).toMatchObject({ status: 401, error: 'AccountTakedown' });
  expect(await refusalOf(agent.getTimeline())).toMatchObject({ status: 401, error: 'AccountTakedown' });

  await server.order('takedown', { on: false });
  expect((await (await server.signIn()).getTimeline()).success).toBe(true);
});

test.for([
  ['after two hours', async (server: BlueskyFixture) => server.clock.set(server.clock.nowMs() + 2 * HOUR_MS)],
  ['by order', async (server: BlueskyFixture) => server.order('expire')],
] as const)('an access token expires %s, and the client refreshes it', async ([, expire]) => {
  await using server = await openBluesky();
  const agent = await server.signIn();
  const before = agent.session;
  await expire(server);

  const bare = new AtpAgent({ service: server.sandbox.url });
  bare.setHeader('authorization', `Bearer ${before?.accessJwt}`);
  const { did = '' } = before ?? {};
  expect((await bare.com.atproto.repo.listRecords({ repo: did, collection: 'app.bsky.feed.post' })).success).toBe(true);
  for (const call of [() => bare.getTimeline(), () => bare.com.atproto.server.getSession()]) {
    expect(await refusalOf(call())).toMatchObject({ status: 400, error: 'ExpiredToken' });
  }
  await agent.getTimeline();

  expect((await agent.com.atproto.server.getSession()).data).toMatchObject({ did, active: true });
  expect(agent.session?.accessJwt).not.toBe(before?.accessJwt);
  expect(agent.session?.refreshJwt).not.toBe(before?.refreshJwt);
});

test('a used refresh token returns the same next token for two hours', async () => {
  await using server = await openBluesky();
  const { session } = await server.signIn();

  const first = await refreshed(server.sandbox.url, session);
  server.clock.set(server.clock.nowMs() + 2 * HOUR_MS - 1000);
  const second = await refreshed(server.sandbox.url, session);
  server.clock.set(server.clock.nowMs() + 2000);
  const third = await refreshed(server.sandbox.url, session);

  expect(idOf(first.session)).not.toBe(idOf(session));
  expect(idOf(second.session)).toBe(idOf(first.session));
  expect(third.events).toEqual(['expired']);
});

test('revoked and closed sessions cannot be refreshed, and a revoked app password opens no session', async () => {
  await using server = await openBluesky();
  const agent = await server.signIn();
  const { session } = agent;
  await agent.logout();
  const other = await server.signIn();

  expect(await server.order('revoke', { passwords: true })).toMatchObject({ sessions: 1 });

  for (const ended of [session, other.session]) expect((await refreshed(server.sandbox.url, ended)).events).toEqual(['expired']);
  expect(await refusalOf(server.signIn())).toMatchObject({ status: 401, error: 'AuthenticationRequired' });
});

test('sessions survive a restart', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/sandbox.sqlite`;
  let session: AtpSessionData | undefined;
  {
    await using server = await openBluesky({ file });
    ({ session } = await server.signIn());
  }
  await using server = await openBluesky({ file });

  expect((await refreshed(server.sandbox.url, session)).session?.did).toBe(session?.did);
});

test.for([
  ['no token', undefined, { status: 401, error: 'AuthMissing' }],
  ['a token from another server', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJkaWQ6cGxjOngifQ.x', { status: 400, error: 'InvalidToken' }],
] as const)('%s is refused', async ([, token, refusal]) => {
  await using server = await openBluesky();
  const agent = new AtpAgent({ service: server.sandbox.url });
  if (token !== undefined) agent.setHeader('authorization', `Bearer ${token}`);

  expect(await refusalOf(agent.getTimeline())).toMatchObject(refusal);
});

async function refreshed(
  service: string,
  session: AtpSessionData | undefined,
): Promise<{ readonly session: AtpSessionData | undefined; readonly events: readonly AtpSessionEvent[] }> {
  const events: AtpSessionEvent[] = [];
  const agent = new AtpAgent({ service, persistSession: (event) => void events.push(event) });
  if (session) agent.sessionManager.session = { ...session };
  await agent.sessionManager.refreshSession().catch(() => undefined);
  return { session: agent.session, events };
}

/** The id in a refresh token. */
function idOf(session: AtpSessionData | undefined): unknown {
  const claims = JSON.parse(Buffer.from(session?.refreshJwt.split('.')[1] ?? '', 'base64url').toString()) as { readonly jti: string };
  return claims.jti; // a refresh token has an id
}
