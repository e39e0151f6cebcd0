import { expect, test } from 'vitest';
import { z } from 'zod';
import { account as twitchAccount } from '#adapters/twitch/account.ts';
import { channelOf } from '#adapters/twitch/auth/channel.ts';
import { twitch } from '#adapters/twitch/index.ts';
import { Bot } from '#src/clients/streaming/bot.ts';
import { pauseRefusedAccounts } from '#src/engine/planner/refused-accounts.ts';
import { httpClient } from '#src/http/client.ts';
import { tokensInMemory, type AccountTokens } from '#src/http/secrets/account-tokens.ts';
import { silentLog } from '#src/log.ts';
import { startSandbox } from '../../../sandbox/index.ts';
import { twitchServer } from '../../../sandbox/twitch/server.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { scriptHttp } from '../../support/script-http.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { controlApi } from '../../support/control-api.ts';

const HOUR_MS = 3_600_000;
const Names = z.object({ items: z.array(z.object({ method: z.string(), route: z.string(), count: z.number() })) });

/** Twitch of the sandbox, with the sign-in of the channel `ada`. */
async function openChannel({
  scopes,
  operations = [],
}: { readonly scopes?: readonly string[]; readonly operations?: readonly string[] } = {}) {
  const clock = new ManualClock();
  const sandbox = await startSandbox({ platforms: [twitchServer], clock });
  const { environment, url } = sandbox;
  const controlAll = controlApi(url);
  const control = (path: string, body: object) => controlAll(`/twitch/${path}`, body);
  const app = {
    clientId: environment['TWITCH_CLIENT_ID'] ?? '',
    clientSecret: environment['TWITCH_CLIENT_SECRET'] ?? '',
    apiUrl: environment['TWITCH_API_URL'] ?? '',
    authUrl: environment['TWITCH_AUTH_URL'] ?? '',
  };
  const device = await twitchAccount.channelSignIn?.(
    { platform: 'twitch', account: 'twitch', ...app },
    { clock, operations: new Set(operations) },
  );
  const tokens = tokensInMemory();

  return {
    clock,
    device,
    tokens,
    control,
    bot: (more: { readonly tokens?: AccountTokens | undefined } = { tokens }) =>
      new Bot({ platform: twitch({ ...app, clock, ...more }), clock }),
    async signIn() {
      const begun = await device?.begin();
      const finished = begun?.finish();
      await control('activate', { code: begun?.code, user: 'ada', scopes });
      const answer = await whileSleeping(clock, finished ?? Promise.reject(new Error('no sign-in')));
      await tokens.save(answer.tokens);
      return answer;
    },
    async requests(route: string) {
      const { items } = Names.parse(await controlAll('/requests'));
      return items.filter((one) => one.route.includes(route)).reduce((sum, { count }) => sum + count, 0);
    },
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

test('a channel signs in with a code and reads its followers, newest first', async () => {
  await using fixture = await openChannel();
  const { who, scopes } = await fixture.signIn();
  const bot = fixture.bot();
  const before = (await bot.getUser('ada')).followerCount ?? 0;
  await fixture.control('follow', { channel: 'ada', user: 'grace' });
  await fixture.clock.advance(1000);
  await fixture.control('follow', { channel: 'ada', user: 'linus' });

  const { items } = await bot.getFollowers();

  expect([who, scopes]).toEqual(['ada', ['moderator:read:followers']]);
  expect(items.map(({ handle }) => handle)).toEqual(['linus', 'grace']);
  expect(items[0]?.followedAt.getTime()).toBe(fixture.clock.nowMs());
  expect((await bot.getUser('ada')).followerCount).toBe(before + 2);
});

test('one follower is found by name or id, with the time of the follow', async () => {
  await using fixture = await openChannel();
  await fixture.signIn();
  const bot = fixture.bot();
  await fixture.control('follow', { channel: 'ada', user: 'grace' });
  const followedAt = new Date(fixture.clock.nowMs());
  await fixture.clock.advance(1000);
  await fixture.control('follow', { channel: 'ada', user: 'linus' });
  const { id } = await bot.getUser('grace');

  for (const user of ['Grace', id]) expect((await bot.getFollowers({ user })).items).toMatchObject([{ handle: 'grace', followedAt }]);
  expect((await bot.getFollowers({ user: 'ada' })).items).toEqual([]);
  await expect(bot.getFollowers({ user: 'nobody_is_called_this' })).rejects.toMatchObject({ fault: 'missing' });
});

test('other channels have no number of followers', async () => {
  await using fixture = await openChannel();
  await fixture.signIn();

  expect((await fixture.bot().getUser('grace')).followerCount).toBeUndefined();
});

test('the access is not there before the person has confirmed', async () => {
  await using fixture = await openChannel();
  const begun = await fixture.device?.begin();

  const finished = begun?.finish(AbortSignal.abort(new Error('stopped')));

  await expect(finished).rejects.toThrow('stopped');
  expect(begun?.url).toContain(`device-code=${begun?.code}`);
});

test('expired tokens are renewed once for all requests and stored', async () => {
  await using fixture = await openChannel();
  const { tokens: first } = await fixture.signIn();
  const bot = fixture.bot();
  await fixture.clock.advance(5 * HOUR_MS);

  await Promise.all([bot.getFollowers(), bot.getFollowers({ waitTime: 3 }), bot.getUser('ada')]);

  const second = await fixture.tokens.load();
  expect(second).toMatchObject({ login: 'ada', scopes: ['moderator:read:followers'] });
  expect(second).not.toEqual(first);
});

/** Both answers are in https://dev.twitch.tv/docs/authentication/refresh-tokens/. */
test.for([
  ['without a lifetime', { scope: ['moderator:read:followers', 'user:write:chat'] }],
  ['with its permissions as a text', { scope: 'moderator:read:followers user:write:chat', expires_in: 5_215_742 }],
] as const)('a renewal %s replaces the tokens', async ([, answer]) => {
  const clock = new ManualClock();
  const renewal = { access_token: 'second', refresh_token: 'next', token_type: 'bearer', ...answer };
  await using server = await scriptHttp([['POST /token', { json: renewal }]]);
  await using auth = httpClient({ platform: 'twitch', baseUrl: server.url, clock });
  const app = { clientId: 'client', authUrl: server.url };
  const first = { accessToken: 'first', refreshToken: 'once', expiresAt: new Date(0).toISOString(), scopes: [], userId: '1', login: 'ada' };
  const tokens = tokensInMemory({ ...first, ...app });
  const channel = channelOf({ ...app, clientSecret: 'tr0ub4dor', account: 'twitch', tokens, auth, clock, isGood: async () => true });

  for (const scope of ['moderator:read:followers', 'user:write:chat'])
    expect(await channel.authorized(scope, undefined, async (token) => token)).toBe('second');

  expect(await tokens.load()).toMatchObject({ refreshToken: 'next' });
});

test('a revoked token is renewed, and a lost sign-in names the command', async () => {
  await using fixture = await openChannel();
  await fixture.signIn();
  const bot = fixture.bot();
  await bot.getFollowers();
  await fixture.control('revoke', {});

  await expect(bot.getFollowers()).rejects.toMatchObject({
    fault: 'forbidden',
    message: expect.stringContaining('fanfare auth twitch --channel'),
  });
});

test.for([
  ['without a sign-in', undefined, 'no channel is signed in'],
  ['without the permission', [], 'has not granted moderator:read:followers'],
] as const)('followers %s are refused with the command', async ([, scopes, message]) => {
  await using fixture = await openChannel({ scopes: scopes ?? [] });
  if (scopes) await fixture.signIn();

  await expect(fixture.bot().getFollowers()).rejects.toMatchObject({ fault: 'forbidden', message: expect.stringContaining(message) });
  expect((await fixture.bot().getUser('ada')).followerCount).toBeUndefined();
});

test('polls that need no channel go on while its sign-in is missing', async () => {
  await using fixture = await openChannel();
  const bot = fixture.bot();
  const use = pauseRefusedAccounts({ clock: fixture.clock, log: silentLog });

  await expect(use('twitch', async () => bot.getFollowers())).rejects.toThrow('no channel is signed in');

  expect(await use('twitch', async () => bot.getUser('ada'))).toMatchObject({ handle: 'ada' });
});

test('tokens of another app are not used', async () => {
  await using fixture = await openChannel();
  const { tokens } = await fixture.signIn();
  const others = tokensInMemory({ ...tokens, clientId: 'another' });

  await expect(fixture.bot({ tokens: others }).getFollowers()).rejects.toThrow('no channel is signed in');
  expect((await fixture.bot({ tokens: others }).getUser('ada')).followerCount).toBeUndefined();
});
