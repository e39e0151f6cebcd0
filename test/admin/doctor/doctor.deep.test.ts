import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetch } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDoctor } from '#src/app/open-doctor.ts';
import type { CheckResult } from '#src/admin/doctor/check-result.ts';
import { systemClock } from '#src/clock.ts';
import { storedTokensIn } from '#src/app/stored-tokens.ts';
import { silentLog } from '#src/log.ts';
import { startSandbox, type Sandbox } from '#sandbox/index.ts';
import { openStore } from '#src/store/store.ts';
import { badServer, nobodysAddress, selfSigned } from '../../adapters/bad-input/bad-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Environment = Readonly<Record<string, string>>;

const PLANTED = 'tr0ub4dor-0123456789';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({});
});
afterAll(() => sandbox[Symbol.asyncDispose]());

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder.path, 'rules'));
});
afterEach(() => folder[Symbol.dispose]());

const variablesOf = (...platforms: readonly string[]): Environment => {
  const all: Environment = { ...sandbox.environment, ...Object.assign({}, ...Object.values(sandbox.onRequest)) };
  return Object.fromEntries(Object.entries(all).filter(([name]) => platforms.some((one) => name.startsWith(`${one.toUpperCase()}_`))));
};

/** The results of the doctor, which must not contain a secret. */
async function examine(environment: Environment, environmentFile = join(folder.path, '.env')): Promise<readonly CheckResult[]> {
  const lines: string[] = [];
  const where = { FANFARE_DATA: join(folder.path, 'data'), FANFARE_RULES: join(folder.path, 'rules') };
  await using doctor = await openDoctor({ environment: { ...environment, ...where }, environmentFile, write: (line) => lines.push(line) });
  const results = await Array.fromAsync(doctor.examine(AbortSignal.timeout(240_000)));
  expect(JSON.stringify(results) + lines.join('')).not.toContain(PLANTED);
  return results;
}

const about = (results: readonly CheckResult[], name: string): readonly CheckResult[] => results.filter((one) => one.about === name);

test('an installation with working accounts has no bad results', async () => {
  const results = await examine(variablesOf('twitch', 'kick', 'x', 'bluesky', 'mastodon', 'discord', 'assistant', 'sandbox'));

  expect(results.filter(({ state }) => state === 'bad')).toEqual([]);
  expect(about(results, 'mastodon')).toEqual([{ about: 'mastodon', state: 'good', what: 'signed in as @fanfare (Fanfare)' }]);
});

test('only a process that runs is notified: one that was killed leaves its last report', async () => {
  mkdirSync(join(folder.path, 'data'));
  await using store = await openStore({ file: join(folder.path, 'data', 'fanfare.sqlite') });
  await store.notifiers.keepReport('feed', { state: 'connected', subscriptions: 3 });
  expect(about(await examine({}), 'feeds')).toEqual([]);

  using _held = await store.notifiers.claim({ account: 'feed', isSubstitute: false, signal: AbortSignal.timeout(240_000) });
  expect(about(await examine({}), 'feeds')).toMatchObject([{ state: 'good', what: expect.stringContaining('3 subscriptions') }]);
});

test('a clock that was ahead is reported before and after the next start', async () => {
  const file = join(folder.path, 'data', 'fanfare.sqlite');
  mkdirSync(join(folder.path, 'data'));
  {
    await using store = await openStore({ file });
    const change = { memory: { firings: 0, firedMs: {} }, put: [], drop: [] };
    const slotMs = systemClock.nowMs() + 2 * 3_600_000;
    await store.ruleStates.commit({ rule: 'live', slotMs, change, firings: [], withdrawals: [], decisions: [] });
  }

  const before = about(await examine({}), 'the clock');
  {
    await using store = await openStore({ file });
    await store.storedClock.continueFromNow();
  }
  const after = about(await examine({}), 'the clock');

  expect(before).toMatchObject([{ state: 'warning', what: expect.stringMatching(/^it is (2h|1h 59m) behind the last slot of a rule/) }]);
  expect(after).toMatchObject([
    { state: 'warning', what: expect.stringMatching(/^it was set back by (2h|1h 59m) at .*Z: rules continued/) },
  ]);
});

/** Wrong credentials and the results of the doctor. */
const WRONG: readonly (readonly [what: string, platform: string, wrong: Environment, message: RegExp])[] = [
  [
    'a wrong secret',
    'twitch',
    { TWITCH_CLIENT_SECRET: PLANTED },
    /^twitch rejects this client id and client secret: check both at https:\/\/\S+\. The reason of the server: "invalid[ _]client/,
  ],
  [
    'a wrong secret',
    'kick',
    { KICK_CLIENT_SECRET: PLANTED },
    /^kick rejects this client id and client secret: check both at https:\/\/\S+\. The reason of the server: "invalid[ _]client/,
  ],
  ['a wrong key', 'x', { X_ACCESS_SECRET: PLANTED }, /^X rejects the signature: check the four keys of OAuth 1\.0a, and the clock/],
  [
    'a wrong password',
    'bluesky',
    { BLUESKY_APP_PASSWORD: PLANTED },
    /rejects this handle and app password: check both, or create an app password/,
  ],
  [
    'a revoked token',
    'mastodon',
    { MASTODON_TOKEN: PLANTED },
    /^the server rejects the token of mastodon: sign in again with `npx fanfare auth mastodon`/,
  ],
  [
    'a wrong token',
    'discord',
    { DISCORD_TOKEN: `MTIwMjU4NDEzMTk5MzYwMDAwMg.${PLANTED}` },
    /^Discord refused with 401.*Check DISCORD_TOKEN\.$/,
  ],
  [
    'a server without the bot',
    'discord',
    { DISCORD_GUILD_ID: '1202584131993600999' },
    /^the bot is not in this server, .*: invite it with https:\/\/discord\.com\/oauth2\/authorize\?client_id=\d+&scope=bot\+applications\.commands, or check DISCORD_GUILD_ID\.$/,
  ],
  [
    'a wrong key',
    'assistant',
    { ASSISTANT_API_KEY: PLANTED },
    /answered with 401: check ASSISTANT_API_KEY, or `apiKey` in fanfare\.yaml\.$/,
  ],
];

test.for(WRONG)('%s of %s is bad, with a remedy', async ([, platform, wrong, message]) => {
  const [finding, ...others] = about(await examine({ ...variablesOf(platform), ...wrong }), platform);

  expect(finding).toMatchObject({ state: 'bad', what: expect.stringMatching(message) });
  expect(others).toEqual([]);
});

describe.for([
  ['twitch', ['TWITCH_API_URL', 'TWITCH_AUTH_URL']],
  ['kick', ['KICK_API_URL', 'KICK_AUTH_URL']],
  ['x', ['X_API_URL']],
  ['bluesky', ['BLUESKY_URL', 'BLUESKY_PLC_URL']],
  ['mastodon', ['MASTODON_URL']],
  ['discord', ['DISCORD_API_URL']],
  ['assistant', ['ASSISTANT_URL']],
] as const)('%s', ([platform, names]) => {
  async function at(url: string): Promise<CheckResult | undefined> {
    const [finding] = about(await examine({ ...variablesOf(platform), ...Object.fromEntries(names.map((name) => [name, url])) }), platform);
    return finding;
  }

  test('at an address without a server is bad', async () => {
    expect(await at(await nobodysAddress())).toMatchObject({
      state: 'bad',
      what: expect.stringMatching(/ECONNREFUSED\).*the connection was refused; check/),
    });
  });

  test('with a self-signed certificate is bad', async () => {
    await using server = await selfSigned(() => ({}));

    expect(await at(server.url)).toMatchObject({
      state: 'bad',
      what: expect.stringMatching(/SELF_SIGNED_CERT\).*the certificate of the server/),
    });
  });

  test('at the address of a website is bad', async () => {
    await using server = await badServer(() => ({ text: `<!doctype html><title>${PLANTED}</title>` }));

    expect(await at(server.url)).toMatchObject({
      state: 'bad',
      what: expect.stringMatching(/check the address of the API|cannot be read/),
    });
  });
});

test('a scope that was not granted is a warning', async () => {
  const environment = variablesOf('x');
  const response = await fetch(`${sandbox.url}/control/x/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user: 'fanfare' }),
  });
  const { accessToken, refreshToken } = (await response.json()) as Record<string, string>; // the response of the control API
  mkdirSync(join(folder.path, 'data'));
  const tokens = {
    accessToken,
    refreshToken,
    expiresAt: new Date(Date.now() + 7_200_000).toISOString(),
    scopes: ['tweet.read', 'users.read', 'offline.access'],
  };
  await using store = await openStore({ file: join(folder.path, 'data', 'fanfare.sqlite'), clock: systemClock });
  await storedTokensIn(store, { dataDirectory: join(folder.path, 'data'), key: undefined }, silentLog)('x').save(tokens);
  const { X_CLIENT_ID = '', X_CLIENT_SECRET = '', X_API_URL = '' } = environment;

  const results = about(await examine({ X_CLIENT_ID, X_CLIENT_SECRET, X_API_URL }), 'x');

  expect(results).toContainEqual({
    about: 'x',
    state: 'warning',
    what: 'tweet.write was not granted: to post, repost and delete',
    remedy: 'sign in again, and allow it: npx fanfare auth x',
    reason: { kind: 'scopeMissing', scope: 'tweet.write', why: 'to post, repost and delete', command: 'npx fanfare auth x' },
  });
});

test('a refused read that would find a lost post is a warning', async () => {
  sandbox.faults.add({ platform: 'x', kind: 'status', status: 403, route: '/search/recent', times: 1 });

  const results = about(await examine(variablesOf('x')), 'x');

  expect(results).toContainEqual({
    about: 'x',
    state: 'warning',
    what: expect.stringContaining('GET /2/tweets/search/recent'),
    remedy: 'check the plan and the permissions of the app',
    reason: { kind: 'readRefused', problem: expect.stringContaining('GET /2/tweets/search/recent') },
  });
});

test('a missing permission in a channel of a rule is a warning', async () => {
  const rule = 'id: news\nwhen: { every: 1m }\nthen: [{ do: discord.send, with: { channel: live, content: x } }]\n';
  writeFileSync(join(folder.path, 'rules', 'news.yaml'), rule);
  const order = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ channel: 'live', deny: ['SendMessages'] }),
  };
  await fetch(`${sandbox.url}/control/discord/permissions`, order);

  const results = await examine(variablesOf('discord'));
  await fetch(`${sandbox.url}/control/discord/permissions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ channel: 'live' }),
  });

  expect(about(results, 'rules')).toMatchObject([{ state: 'good', what: '1 ready to run' }]);
  expect(about(results, 'channels')).toMatchObject([
    {
      state: 'warning',
      what: expect.stringMatching(/Send Messages.*live|live.*Send Messages/),
      remedy: expect.stringContaining('in Discord'),
    },
  ]);
});

test('on the sandbox, a channel that does not exist is a warning', async () => {
  const rule = 'id: news\nwhen: { every: 1m }\nthen: [{ do: discord.send, with: { channel: nowhere, content: x } }]\n';
  writeFileSync(join(folder.path, 'rules', 'news.yaml'), rule);

  const results = await examine({});

  expect(about(results, 'channels')).toMatchObject([
    { state: 'warning', what: expect.stringMatching(/news\.yaml:3:45: .* no channel "nowhere"/u) },
  ]);
});

test('a webhook without a secret is a warning with the variable', async () => {
  const rule = 'id: tips\nwhen: { webhook: ko-fi }\nthen: [{ do: discord.send, with: { channel: live, content: x } }]\n';
  writeFileSync(join(folder.path, 'rules', 'tips.yaml'), rule);

  const without = about(await examine({}), 'webhooks');
  const set = about(await examine({ FANFARE_WEBHOOK_KO_FI_TOKEN: PLANTED }), 'webhooks');

  expect(without).toMatchObject([
    { state: 'warning', what: expect.stringContaining('tips.yaml:2:'), remedy: expect.stringContaining('FANFARE_WEBHOOK_KO_FI_TOKEN') },
  ]);
  expect(set).toEqual([]);
});

test('there are no results about channels if the bot is not in the server', async () => {
  const rule = 'id: news\nwhen: { every: 1m }\nthen: [{ do: discord.send, with: { channel: live, content: x } }]\n';
  writeFileSync(join(folder.path, 'rules', 'news.yaml'), rule);

  const results = await examine({ ...variablesOf('discord'), DISCORD_GUILD_ID: '1202584131993600999' });

  expect(about(results, 'discord')).toMatchObject([{ state: 'bad' }]);
  expect(about(results, 'channels')).toEqual([]);
});

test('an error in a rule is bad, with a remedy', async () => {
  writeFileSync(join(folder.path, 'rules', 'broken.yaml'), 'id: broken\nwhen: { evry: 1m }\n');

  const [finding] = about(await examine(variablesOf('twitch')), 'rules');

  expect(finding).toMatchObject({ state: 'bad', remedy: 'print them: npx fanfare check' });
});

test('an error in a list file is bad, because rules that read the list wait', async () => {
  mkdirSync(join(folder.path, 'lists'));
  writeFileSync(join(folder.path, 'lists', 'team.yaml'), 'ada: { twitch: \n');

  const found = about(await examine({}), 'lists');

  const reason = { kind: 'listErrors', count: 1 };
  const remedy = 'print them: npx fanfare check';
  expect(found).toEqual([{ about: 'lists', state: 'bad', what: 'the list files have 1 error', remedy, reason }]);
});

test('a missing rules folder is bad', async () => {
  rmSync(join(folder.path, 'rules'), { recursive: true });

  const remedy = expect.stringMatching(/^If the folder had rules, .* To create a project: npx fanfare init/);
  const what = `${join(folder.path, 'rules')}: there is no such file or folder`;
  expect(about(await examine({}), 'rules')).toEqual([{ about: 'rules', state: 'bad', what, remedy }]);
});

test('a key that others can read is bad, with a remedy', async () => {
  await examine(variablesOf('bluesky'));
  chmodSync(join(folder.path, 'data', 'key'), 0o644);

  const results = await examine(variablesOf('bluesky'));

  const path = join(folder.path, 'data', 'key');
  expect(about(results, 'the key')).toEqual([
    {
      about: 'the key',
      state: 'bad',
      what: `other users can read ${path}`,
      remedy: `chmod 600 ${path}`,
      reason: { kind: 'keyReadable', path },
    },
  ]);
});

test('a .env file that others can read is a warning, with a remedy', async () => {
  const path = join(folder.path, '.env');
  writeFileSync(path, `DISCORD_TOKEN=${PLANTED}\n`);
  chmodSync(path, 0o644);
  const readable = await examine({}, path);
  chmodSync(path, 0o600);

  expect(about(readable, '.env')).toEqual([
    {
      about: '.env',
      state: 'warning',
      what: `other users can read ${path}`,
      remedy: `chmod 600 ${path}`,
      reason: { kind: 'environmentReadable', path },
    },
  ]);
  expect(about(await examine({}, path), '.env')).toEqual([]);
});

test('without accounts, the doctor suggests how to connect one', async () => {
  expect(about(await examine({}), 'accounts')).toMatchObject([{ state: 'warning', remedy: expect.stringContaining('npx fanfare auth') }]);
});
