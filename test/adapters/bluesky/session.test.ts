import { expect, test } from 'vitest';
import { binding, Session } from '#adapters/bluesky/auth/sessions.ts';
import { bluesky } from '#adapters/bluesky/index.ts';
import { tokensInMemory } from '#src/http/secrets/account-tokens.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { scriptHttp, type Exchange } from '../../support/script-http.ts';
import { openBluesky } from './open-bluesky.ts';
import { DID, opened, PASSWORD, refused, scriptBluesky, session, SIGN_IN } from './script-bluesky.ts';

const DAY_MS = 86_400_000;
const profile = { did: DID, handle: 'ada.test', displayName: 'Ada' };
const GET_PROFILE = `GET /xrpc/app.bsky.actor.getProfile?actor=${encodeURIComponent(DID)}`;
const READ: Exchange = [GET_PROFILE, { json: profile }];
const REFRESH = 'POST /xrpc/com.atproto.server.refreshSession';

test('the first call signs in and stores the session', async () => {
  await using scripted = await scriptBluesky([READ, READ]);

  const me = await scripted.social.getUserInfo();
  await scripted.social.getUserInfo();

  expect(me).toMatchObject({ platform: 'bluesky', id: DID, handle: 'ada.test', url: 'https://bsky.app/profile/ada.test' });
  expect(scripted.written()).toEqual([{ identifier: 'ada.test', password: PASSWORD }]);
  expect(await scripted.tokens.load()).toMatchObject(session(1, scripted.server.url));
});

test('a stored session is used without a sign-in', async () => {
  await using scripted = await scriptBluesky([READ], { kept: (url) => session(7, url) });

  await scripted.social.getUserInfo();

  expect(scripted.server.seen[0]?.headers.authorization).toBe('Bearer access-7');
});

test('a stored session works without a password', async () => {
  await using scripted = await scriptBluesky([READ], { kept: (url) => session(7, url), appPassword: undefined });

  expect(await scripted.social.getUserInfo()).toMatchObject({ id: DID });
});

test('the session of another account is not used', async () => {
  await using scripted = await scriptBluesky([SIGN_IN, READ], { kept: (url) => ({ ...session(7, url), handle: 'grace.test' }) });

  await scripted.social.getUserInfo();

  expect(await scripted.tokens.load()).toMatchObject({ handle: 'ada.test', accessJwt: 'access-1' });
});

test('with an e-mail address, a session without an e-mail address is not used', async () => {
  await using scripted = await scriptBluesky([SIGN_IN, READ], { handle: 'ada@mail.test', kept: (url) => session(7, url) });

  await scripted.social.getUserInfo();

  expect(scripted.written()).toEqual([{ identifier: 'ada@mail.test', password: PASSWORD }]);
  expect(await scripted.tokens.load()).toMatchObject({ ...session(1, scripted.server.url), email: 'ada@mail.test' });
});

test('a session that an e-mail address opened is used for that address only, even after a refresh', async () => {
  const mine = (url: string): object => ({ ...session(1, url), email: 'ada@mail.test' });
  await using scripted = await scriptBluesky(
    [
      [GET_PROFILE, refused(400, 'ExpiredToken')],
      [REFRESH, opened(2)],
      [GET_PROFILE, { json: profile }],
    ],
    { handle: 'Ada@Mail.test', kept: mine },
  );
  await using others = await scriptBluesky([SIGN_IN, READ], { handle: 'grace@mail.test', kept: mine });

  await scripted.social.getUserInfo();
  await others.social.getUserInfo();

  expect(await scripted.tokens.load()).toMatchObject({ ...session(2, scripted.server.url), email: 'ada@mail.test' });
  expect(await others.tokens.load()).toMatchObject({ ...session(1, others.server.url), email: 'grace@mail.test' });
});

test('without a session and a password, the error contains advice', async () => {
  await using scripted = await scriptBluesky([], { signIn: [], appPassword: undefined });

  await expect(scripted.social.getUserInfo()).rejects.toMatchObject({
    fault: 'unauthorized',
    message: expect.stringMatching(/fanfare auth bluesky.*app password/),
  });
});

test('an expired token is refreshed, and the new token is stored before its first use', async () => {
  await using scripted = await scriptBluesky(
    [
      [GET_PROFILE, refused(400, 'ExpiredToken')],
      [REFRESH, opened(2)],
      [GET_PROFILE, { json: profile }],
    ],
    { kept: (url) => session(1, url) },
  );
  const saved: unknown[] = [];
  const save = scripted.tokens.save.bind(scripted.tokens);
  scripted.tokens.save = async (tokens) => {
    saved.push([scripted.server.seen.length, tokens]);
    await save(tokens);
  };

  await scripted.social.getUserInfo();

  expect(saved).toMatchObject([[2, session(2, scripted.server.url)]]);
  expect(scripted.server.seen.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer access-1',
    'Bearer refresh-1',
    'Bearer access-2',
  ]);
});

test.for(['de', undefined])('an account that posts nothing for a season stays signed in, with the language %s', async (language) => {
  await using fixture = await openBluesky();
  const { clock } = fixture;
  const tokens = tokensInMemory();
  await new SocialAsync({ platform: fixture.adapter({ tokens }), clock }).getUserInfo();
  const platform = fixture.adapter({ tokens, language, appPassword: undefined });

  for (let month = 0; month < 4; month++) {
    await clock.advance(30 * DAY_MS);
    await platform.learn?.({});
  }

  expect(await new SocialAsync({ platform, clock }).createPost('Back again')).toMatchObject({ text: 'Back again' });
});

test('the session of an account is used once a day', async () => {
  const USE = 'GET /xrpc/com.atproto.server.getSession';
  const used: Exchange = [USE, { json: { did: DID, handle: 'ada.test', active: true } }];
  await using scripted = await scriptBluesky([used, [USE, refused(400, 'ExpiredToken')], [REFRESH, opened(2)], used], {
    kept: (url) => session(1, url),
    appPassword: undefined,
    language: 'de',
  });

  await scripted.platform.learn?.({});
  await scripted.clock.advance(DAY_MS - 60_000);
  await scripted.platform.learn?.({});
  expect(await scripted.tokens.load()).toMatchObject(session(1, scripted.server.url));
  await scripted.clock.advance(60_000);
  await scripted.platform.learn?.({});

  expect(await scripted.tokens.load()).toMatchObject(session(2, scripted.server.url));
});

test.for([
  [DID, 'new.test', 'new.test'],
  [DID, 'handle.invalid', DID],
  ['ada.test', 'new.test', 'ada.test'],
] as const)('an account with the identifier %s and the handle %s on its server has posts at %s', async ([handle, called, shown]) => {
  await using scripted = await scriptBluesky(
    [
      [GET_PROFILE, refused(400, 'ExpiredToken')],
      [REFRESH, opened(2, { handle: called })],
      [GET_PROFILE, { json: profile }],
      ['POST /xrpc/com.atproto.repo.putRecord', { json: { uri: `at://${DID}/app.bsky.feed.post/1`, cid: 'bafy' } }],
      [
        `GET /xrpc/com.atproto.repo.getRecord?repo=${encodeURIComponent(DID)}&collection=app.bsky.actor.profile&rkey=self`,
        refused(400, 'RecordNotFound'),
      ],
    ],
    { handle, kept: (url) => session(1, url) },
  );
  await scripted.social.getUserInfo();

  const post = await scripted.social.createPost('hello', { key: 'k' });

  expect(post.url).toMatch(new RegExp(`^https://bsky.app/profile/${shown}/post/`, 'u'));
  expect(post.author.url).toBe(`https://bsky.app/profile/${shown}`);
});

test('several rejected calls refresh the token once', async () => {
  const expired: Exchange = [GET_PROFILE, refused(400, 'ExpiredToken')];
  await using scripted = await scriptBluesky(
    [{ together: [expired, expired, expired] }, [REFRESH, opened(2)], { together: [READ, READ, READ] }],
    { kept: (url) => session(1, url) },
  );
  const { social } = scripted;

  await Promise.all([social.getUserInfo(), social.getUserInfo(), social.getUserInfo()]);

  expect(scripted.server.seen.filter(({ line }) => line === REFRESH)).toHaveLength(1);
});

test('a token that another process has refreshed is not refreshed again', async () => {
  await using scripted = await scriptBluesky(
    [[GET_PROFILE, refused(400, 'ExpiredToken')], READ, [GET_PROFILE, refused(401, 'AuthMissing')], READ],
    {
      kept: (url) => session(1, url),
    },
  );
  const { social, tokens, server } = scripted;
  const bound = (number: number) => binding({ url: server.url, appPassword: PASSWORD }).bind(Session.parse(session(number, server.url)));

  const first = social.getUserInfo();
  await server.arrived(1);
  await tokens.save(bound(2));
  await first;
  await tokens.save(bound(3));
  await social.getUserInfo();

  expect(server.seen.at(-1)?.headers.authorization).toBe('Bearer access-3');
});

test('the adapter signs in again if the tokens are revoked', async () => {
  await using scripted = await scriptBluesky(
    [
      [GET_PROFILE, refused(400, 'InvalidToken')],
      [REFRESH, refused(400, 'ExpiredToken')],
      ['POST /xrpc/com.atproto.server.createSession', opened(3)],
      READ,
    ],
    { kept: (url) => session(1, url) },
  );

  await scripted.social.getUserInfo();

  expect(await scripted.tokens.load()).toMatchObject({ accessJwt: 'access-3' });
});

test('an aborted call still stores its refreshed tokens', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await using scripted = await scriptBluesky(
    [
      [GET_PROFILE, refused(400, 'ExpiredToken')],
      [REFRESH, { ...opened(2), after: answered }],
    ],
    { kept: (url) => session(1, url) },
  );
  const stop = new AbortController();

  const call = scripted.social.getUserInfo(undefined, { signal: stop.signal }).catch((reason: unknown) => reason);
  await scripted.server.arrived(2);
  stop.abort(new Error('enough'));
  const reason = await call;
  answer();
  while (JSON.stringify(await scripted.tokens.load()).includes('access-1')) await new Promise((resolve) => setImmediate(resolve));

  expect(reason).toEqual(new Error('enough'));
  expect(await scripted.tokens.load()).toMatchObject(session(2, scripted.server.url));
});

test('a wrong password is not tried again immediately, because sign-ins are limited', async () => {
  const wrong: Exchange = [
    'POST /xrpc/com.atproto.server.createSession',
    refused(401, 'AuthenticationRequired', 'Invalid identifier or password'),
  ];
  await using scripted = await scriptBluesky([wrong, SIGN_IN, READ], { signIn: [] });
  const { social, clock } = scripted;

  const first: unknown = await social.getUserInfo().catch((error: unknown) => error);
  await expect(social.getUserInfo()).rejects.toBe(first);
  await clock.advance(5 * 60_000);
  await social.getUserInfo();

  expect(first).toMatchObject({ fault: 'unauthorized', status: 401, message: expect.stringContaining('app password') });
  expect(String(first)).not.toContain(PASSWORD);
});

test('a wrong password is tried fewer times in a day than the 100 that a server accepts', async () => {
  const wrong: Exchange = ['POST /xrpc/com.atproto.server.createSession', refused(401, 'AuthenticationRequired')];
  await using scripted = await scriptBluesky([...Array.from({ length: 27 }, () => wrong), SIGN_IN, READ], { signIn: [] });
  const { social, clock } = scripted;

  for (let poll = 0; poll < 24 * 12; poll++) {
    await expect(social.getUserInfo()).rejects.toMatchObject({ fault: 'unauthorized' });
    await clock.advance(5 * 60_000);
  }
  await clock.advance(60 * 60_000);
  await social.getUserInfo();
});

test('a session that cannot be stored needs no further sign-in, and is stored later', async () => {
  await using scripted = await scriptBluesky([READ]);
  const { social, tokens } = scripted;
  const save = tokens.save.bind(tokens);
  tokens.save = () => Promise.reject(new Error('the key cannot be read'));

  for (let poll = 0; poll < 3; poll++) await expect(social.getUserInfo()).rejects.toThrow('the key cannot be read');
  tokens.save = save;
  await social.getUserInfo();

  expect(await tokens.load()).toMatchObject(session(1, scripted.server.url));
});

test.each([
  [refused(401, 'AuthFactorTokenRequired'), 'unauthorized', /asks for a code from an e-mail/],
  [refused(401, 'AccountTakedown'), 'forbidden', /suspended or taken down/],
  [{ status: 200, text: '<html>' }, 'unreachable', /not JSON.* The request that needs it was not sent/],
] as const)('a failed sign-in has a clear message: %j', async (reply, fault, message) => {
  await using scripted = await scriptBluesky([], { signIn: [['POST /xrpc/com.atproto.server.createSession', reply]] });

  await expect(scripted.social.getUserInfo()).rejects.toMatchObject({ fault, message: expect.stringMatching(message) });
});

test('after too many sign-ins, the error contains the time of the next attempt', async () => {
  const headers = { 'ratelimit-limit': '30', 'ratelimit-remaining': '0', 'ratelimit-reset': '1795198500', 'ratelimit-policy': '30;w=300' };
  await using scripted = await scriptBluesky([], {
    signIn: [['POST /xrpc/com.atproto.server.createSession', { ...refused(429, 'RateLimitExceeded'), headers }]],
  });

  await expect(scripted.social.getUserInfo()).rejects.toMatchObject({ fault: 'rateLimited', retryAt: new Date(1_795_198_500_000) });
});

/** A directory and a server that name the server of an account, and this server. */
async function twoServers(document: (pds: string) => object, did = DID) {
  const pds = await scriptHttp([
    ['POST /xrpc/com.atproto.server.createSession', opened(1, { did })],
    [`GET /xrpc/app.bsky.actor.getProfile?actor=${encodeURIComponent(did)}`, { json: { ...profile, did } }],
  ]);
  const directory = await scriptHttp([
    ['GET /xrpc/com.atproto.identity.resolveHandle?handle=ada.test', { json: { did } }],
    [did.startsWith('did:web') ? 'GET /.well-known/did.json' : `GET /${did}`, { json: document(pds.url) }],
  ]);
  return { pds, directory };
}

test('the adapter signs in at the server in the DID document of the handle', async () => {
  const document = (endpoint: string): object => ({
    id: DID,
    alsoKnownAs: ['at://ada.test'],
    service: [{ id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: endpoint }],
  });
  const { pds, directory } = await twoServers(document);
  const tokens = tokensInMemory();
  await using platform = bluesky({
    url: directory.url,
    plcUrl: directory.url,
    handle: '@Ada.test',
    appPassword: PASSWORD,
    tokens,
    clock: new ManualClock(),
  });

  await new SocialAsync({ platform }).getUserInfo();

  expect(await tokens.load()).toMatchObject(session(1, pds.url));
  await Promise.all([pds, directory].map((server) => server[Symbol.asyncDispose]()));
});

test.each([
  [
    'does not have this handle',
    { id: DID, alsoKnownAs: ['at://grace.test'], service: [{ id: '#atproto_pds', serviceEndpoint: 'http://127.0.0.1:1' }] },
  ],
  [
    'belongs to another account',
    { id: 'did:plc:grace', alsoKnownAs: ['at://ada.test'], service: [{ id: '#atproto_pds', serviceEndpoint: 'http://127.0.0.1:1' }] },
  ],
  ['has no server', { id: DID, alsoKnownAs: ['at://ada.test'], service: null }],
])('if the DID document %s, the adapter signs in at the configured address', async (_, document) => {
  await using scripted = await scriptBluesky([READ], {
    signIn: [
      ['GET /xrpc/com.atproto.identity.resolveHandle?handle=ada.test', { json: { did: DID } }],
      [`GET /${DID}`, { json: document }],
      SIGN_IN,
    ],
    isDirectory: true,
  });

  await scripted.social.getUserInfo();

  expect(await scripted.tokens.load()).toMatchObject(session(1, scripted.server.url));
});

test.for([
  ['another app password', { appPassword: 'qrst-uvwx-yzab-cdef' }, false],
  ['another address', { url: 'http://127.0.0.1:9' }, false],
  ['no app password', { appPassword: undefined }, true],
  ['the same', {}, true],
] as const)('with %s, the stored session is used: %j', async ([, changed, isUsed]) => {
  await using server = await scriptHttp(isUsed ? [READ] : []);
  const url = 'http://127.0.0.1:8';
  const bound = binding({ url, appPassword: PASSWORD }).bind(Session.parse(session(7, server.url)));
  await using platform = bluesky({ url, handle: 'ada.test', appPassword: PASSWORD, tokens: tokensInMemory(bound), ...changed });

  const me = await new SocialAsync({ platform }).getUserInfo().catch((error: unknown) => error);

  expect(me instanceof Error).toBe(!isUsed);
});

test('a session from an earlier version is not used if there is an app password', async () => {
  await using server = await scriptHttp([[SIGN_IN[0], refused(401, 'AuthenticationRequired')]]);
  const tokens = tokensInMemory(session(7, server.url));
  await using platform = bluesky({ url: server.url, handle: 'ada.test', appPassword: 'wrong', tokens });

  await expect(new SocialAsync({ platform }).getUserInfo()).rejects.toMatchObject({ fault: 'unauthorized' });
});

test('without an app password, a session from an earlier version is bound to the address at its first use', async () => {
  await using server = await scriptHttp([READ]);
  const tokens = tokensInMemory(session(7, server.url));
  await using platform = bluesky({ url: server.url, handle: 'ada.test', tokens });
  await using elsewhere = bluesky({ url: 'http://127.0.0.1:9', handle: 'ada.test', tokens });

  await new SocialAsync({ platform }).getUserInfo();

  expect(await tokens.load()).toMatchObject({ bound: { url: server.url } });
  await expect(new SocialAsync({ platform: elsewhere }).getUserInfo()).rejects.toMatchObject({ fault: 'unauthorized' });
});

test('a stored session does not contain the app password', async () => {
  await using scripted = await scriptBluesky([READ]);

  await scripted.social.getUserInfo();

  expect(JSON.stringify(await scripted.tokens.load())).not.toContain(PASSWORD);
});
