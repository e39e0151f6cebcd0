import { AtpAgent, XRPCError, type AtpSessionData, type AtpSessionEvent } from '@atproto/api';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { openBluesky } from './open-bluesky.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

test('an app password opens the account, and the session says where its repository is', async () => {
  await using ground = await openBluesky();
  const { BLUESKY_HANDLE: identifier = '', BLUESKY_APP_PASSWORD: password = '' } = ground.environment;
  const agent = new AtpAgent({ service: ground.sandbox.url });

  await agent.login({ identifier, password });

  expect(agent.session).toMatchObject({ handle: identifier, active: true });
  expect(agent.pdsUrl?.href).toBe(`${ground.sandbox.url}/`);
});

test('the DID and the address of the mailbox open it as well, whatever the case', async () => {
  await using ground = await openBluesky();
  const { did, email, handle, appPassword: password } = await ground.account();

  for (const identifier of [did, email, handle.toUpperCase()]) {
    const agent = new AtpAgent({ service: ground.sandbox.url });
    await agent.login({ identifier, password });
    expect(agent.session?.did).toBe(did);
  }
});

test.for<[name: string, wrong: { identifier?: string; password?: string }]>([
  ['a wrong password', { password: 'wrong-wrong-wrong-wrong' }],
  ['nobody', { identifier: 'nobody.sandbox.test' }],
])('%s is refused without saying which of the two was wrong', async ([, wrong]) => {
  await using ground = await openBluesky();
  const { handle, appPassword } = await ground.account();
  const agent = new AtpAgent({ service: ground.sandbox.url });

  const error = await refusalOf(agent.login({ identifier: handle, password: appPassword, ...wrong }));

  expect(error).toMatchObject({ status: 401, error: 'AuthenticationRequired', message: 'Invalid identifier or password' });
});

test('the password of the account itself asks for the code that came by mail', async () => {
  await using ground = await openBluesky();
  const { handle: identifier, password, signInCode } = await ground.account();
  const agent = new AtpAgent({ service: ground.sandbox.url });

  expect(await refusalOf(agent.login({ identifier, password }))).toMatchObject({ status: 401, error: 'AuthFactorTokenRequired' });
  expect(await refusalOf(agent.login({ identifier, password, authFactorToken: 'AAAAA-AAAAA' }))).toMatchObject({ error: 'InvalidToken' });
  await agent.login({ identifier, password, authFactorToken: signInCode.toUpperCase() });

  expect(agent.hasSession).toBe(true);
});

test('an account that was taken down opens to nobody, and whoever is in can do nothing', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const { handle: identifier, appPassword: password } = await ground.account();
  await ground.order('takedown', {});

  const another = new AtpAgent({ service: ground.sandbox.url });
  expect(await refusalOf(another.login({ identifier, password }))).toMatchObject({ status: 401, error: 'AccountTakedown' });
  expect(await refusalOf(agent.getTimeline())).toMatchObject({ status: 401, error: 'AccountTakedown' });

  await ground.order('takedown', { on: false });
  expect((await (await ground.signIn()).getTimeline()).success).toBe(true);
});

test('an access token lasts two hours; then it is expired with 400, and the client comes back by itself', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const before = agent.session;
  ground.clock.set(ground.clock.nowMs() + 2 * HOUR_MS);

  const bare = new AtpAgent({ service: ground.sandbox.url });
  bare.setHeader('authorization', `Bearer ${before?.accessJwt}`);
  expect(await refusalOf(bare.getTimeline())).toMatchObject({ status: 400, error: 'ExpiredToken' });
  await agent.getTimeline();

  expect(agent.session?.accessJwt).not.toBe(before?.accessJwt);
  expect(agent.session?.refreshJwt).not.toBe(before?.refreshJwt);
});

test('a refresh token that was used gives the same next one for two hours, and none later', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const old = required(agent.session);

  const first = await resumed(ground.sandbox.url, old);
  ground.clock.set(ground.clock.nowMs() + 2 * HOUR_MS - 1000);
  const second = await resumed(ground.sandbox.url, old);
  ground.clock.set(ground.clock.nowMs() + 2000);
  const third = await resumed(ground.sandbox.url, old);

  expect(tokenId(required(first.session).refreshJwt)).not.toBe(tokenId(old.refreshJwt));
  expect(tokenId(required(second.session).refreshJwt)).toBe(tokenId(required(first.session).refreshJwt));
  expect(third.events).toEqual(['expired']);
});

test('what was revoked cannot be refreshed, and the app password opens nothing any more', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const { handle: identifier, appPassword: password } = await ground.account();

  expect(await ground.order('revoke', { passwords: true })).toMatchObject({ sessions: 1 });

  expect((await resumed(ground.sandbox.url, required(agent.session))).events).toEqual(['expired']);
  const another = new AtpAgent({ service: ground.sandbox.url });
  expect(await refusalOf(another.login({ identifier, password }))).toMatchObject({ status: 401, error: 'AuthenticationRequired' });
});

test('all access tokens can be made to expire at once, and only they', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const before = agent.session?.accessJwt;

  await ground.order('expire', {});
  await agent.getTimeline();

  expect(agent.session?.accessJwt).not.toBe(before);
  expect((await agent.getTimeline()).success).toBe(true);
});

test('who signs out is out', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const session = required(agent.session);

  await agent.logout();

  expect((await resumed(ground.sandbox.url, session)).events).toEqual(['expired']);
});

test('sessions outlive a restart', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/sandbox.sqlite`;
  let session: AtpSessionData;
  {
    await using ground = await openBluesky({ file });
    session = required((await ground.signIn()).session);
  }
  await using ground = await openBluesky({ file });
  const later = await resumed(ground.sandbox.url, session);

  expect(later.session?.did).toBe(session.did);
});

test('nobody signs in more than thirty times in five minutes, nor three hundred times a day', async () => {
  await using ground = await openBluesky();
  const { handle: identifier, appPassword: password } = await ground.account();
  const agent = new AtpAgent({ service: ground.sandbox.url });
  const signIn = () => agent.com.atproto.server.createSession({ identifier, password });

  for (let each = 0; each < 30; each++) await signIn();
  const soon = await refusalOf(signIn());
  // What was refused is counted as well: 31 of the 300 are gone.
  for (let each = 0; each < 269; each++) {
    if (each % 29 === 0) ground.clock.set(ground.clock.nowMs() + 6 * MINUTE_MS);
    await signIn();
  }
  ground.clock.set(ground.clock.nowMs() + 6 * MINUTE_MS);
  const error = await refusalOf(signIn());

  expect(soon).toMatchObject({ status: 429, error: 'RateLimitExceeded', headers: { 'ratelimit-limit': '30' } });
  expect(error).toMatchObject({ status: 429, error: 'RateLimitExceeded' });
  expect(error.headers).toMatchObject({ 'ratelimit-limit': '300', 'ratelimit-remaining': '0', 'ratelimit-policy': '300;w=86400' });
});

test.for([
  ['no token', undefined, { status: 401, error: 'AuthMissing' }],
  ['a token of somebody else', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJkaWQ6cGxjOngifQ.x', { status: 400, error: 'InvalidToken' }],
  ['nonsense', 'nonsense', { status: 400, error: 'InvalidToken' }],
] as const)('%s opens nothing', async ([, token, refusal]) => {
  await using ground = await openBluesky();
  const agent = new AtpAgent({ service: ground.sandbox.url });
  if (token !== undefined) agent.setHeader('authorization', `Bearer ${token}`);

  expect(await refusalOf(agent.getTimeline())).toMatchObject(refusal);
});

test('a token for another service says for whom and for what it is, and not for long', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const now = Math.floor(ground.clock.nowMs() / 1000);
  const ask = (exp: number, lxm?: string) =>
    agent.com.atproto.server.getServiceAuth({ aud: 'did:web:video.bsky.app', exp, ...(lxm !== undefined && { lxm }) });

  const { token } = (await ask(now + 1800, 'com.atproto.repo.uploadBlob')).data;

  expect(claimsOf(token)).toMatchObject({ iss: agent.session?.did, aud: 'did:web:video.bsky.app', lxm: 'com.atproto.repo.uploadBlob' });
  expect(await refusalOf(ask(now - 1, 'com.atproto.repo.uploadBlob'))).toMatchObject({ status: 400, error: 'BadExpiration' });
  expect(await refusalOf(ask(now + 3601, 'com.atproto.repo.uploadBlob'))).toMatchObject({ status: 400, error: 'BadExpiration' });
  expect(await refusalOf(ask(now + 120))).toMatchObject({ status: 400, error: 'BadExpiration' });
});

async function resumed(
  service: string,
  session: AtpSessionData,
): Promise<{ readonly session: AtpSessionData | undefined; readonly events: readonly AtpSessionEvent[] }> {
  const events: AtpSessionEvent[] = [];
  const agent = new AtpAgent({ service, persistSession: (event) => void events.push(event) });
  // The access token is not what is asked about: without it the client has to refresh.
  agent.sessionManager.session = { ...session };
  await agent.sessionManager.refreshSession().catch(() => undefined);
  return { session: agent.session, events };
}

async function refusalOf(promise: Promise<unknown>): Promise<XRPCError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof XRPCError)) throw new Error('it was not refused');
  return error;
}

function claimsOf(token: string): unknown {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

function tokenId(token: string): unknown {
  return (claimsOf(token) as { readonly jti?: string }).jti; // a refresh token is an object with an id
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('there is none');
  return value;
}
