import { expect, test } from 'vitest';
import { bluesky } from '#adapters/bluesky/index.ts';
import { giphy } from '#adapters/giphy/index.ts';
import { kick } from '#adapters/kick/index.ts';
import { mastodon } from '#adapters/mastodon/index.ts';
import { openai } from '#adapters/openai/index.ts';
import { sandbox } from '#adapters/sandbox/index.ts';
import { twitch } from '#adapters/twitch/index.ts';
import { x } from '#adapters/x/index.ts';
import { youtube } from '#adapters/youtube/index.ts';
import { Bot } from '#src/clients/streaming/bot.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { ValidationError } from '#src/errors.ts';

/** The error of a call with arguments that only programs in JavaScript can pass. */
function refusal<A extends readonly never[]>(create: (...args: A) => unknown, ...args: readonly unknown[]): unknown {
  try {
    create(...(args as unknown as A)); // as a program in JavaScript does
  } catch (error) {
    return error;
  }
  return undefined;
}

const url = 'https://social.example';
const APPS = 'https://console.x.com';

test.for([
  ['twitch', twitch, { clientId: 'id', clientSecret: 'secret' }, 'https://dev.twitch.tv/console/apps'],
  ['kick', kick, { clientId: 'id', clientSecret: 'secret' }, 'https://kick.com/settings/developer'],
  ['youtube', youtube, { apiKey: 'key' }, 'https://console.cloud.google.com/apis/credentials'],
  ['mastodon', mastodon, { url, token: 'token' }, 'https://'],
  ['openai', openai, { url, apiKey: 'key', model: 'model' }, 'pass'],
  ['giphy', giphy, { apiKey: 'key' }, 'https://developers.giphy.com/dashboard'],
  ['sandbox', sandbox, { url, token: 'token' }, '`npx fanfare sandbox`'],
  ['x', x, { apiKey: 'key', apiSecret: 'secret', accessToken: 'token', accessSecret: 'secret' }, APPS],
  ['x', x, { apiKey: 'key', apiSecret: 'secret' }, APPS],
] as const)('%s names a credential that is missing or cannot be sent, and where it comes from', ([platform, create, options, source]) => {
  expect(refusal(create, options)).toBeUndefined();
  for (const [path, value] of Object.entries(options)) {
    // An empty address has another error.
    for (const missing of path === 'url' ? [undefined] : [undefined, '', ' ']) {
      const error = refusal(create, { ...options, [path]: missing });
      expect(error).toBeInstanceOf(ValidationError);
      expect(error).toMatchObject({ path, message: expect.stringMatching(`^${platform}: ${path} is missing: .*`) });
      expect(error).toMatchObject({ message: expect.stringContaining(source) });
    }
    if (path === 'url') continue;
    const copied = refusal(create, { ...options, [path]: `${value}\n` });
    expect(copied).toMatchObject({ path, message: expect.stringContaining(`${platform}: ${path} begins or ends with`) });
    expect(String(copied)).not.toContain(`${value}\n`);
  }
});

test('Bluesky names a missing handle or app password; a stored session needs no password', () => {
  const options = { handle: 'ada.test', appPassword: 'pass wörd' };

  expect(refusal(bluesky, options)).toBeUndefined();
  expect(refusal(bluesky, { ...options, handle: '' })).toMatchObject({ path: 'handle' });
  expect(refusal(bluesky, { ...options, appPassword: '' })).toMatchObject({
    path: 'appPassword',
    message: 'bluesky: appPassword is missing: create an app password at Settings, Privacy and security, App passwords.',
  });
  expect(refusal(bluesky, { handle: 'ada.test' })).toMatchObject({ path: 'appPassword' });
  expect(refusal(bluesky, { handle: 'ada.test', tokens: {} })).toBeUndefined();
});

test('an account of X needs all keys of its kind; a stored sign-in needs none', () => {
  expect(refusal(x, {})).toMatchObject({ path: 'apiKey', message: expect.stringContaining('or bearerToken, to read public data') });
  expect(refusal(x, { clientId: 'id' })).toMatchObject({ path: 'apiKey' });
  expect(refusal(x, { accessToken: 'token', accessSecret: 'secret' })).toMatchObject({ path: 'apiKey' });
  expect(refusal(x, { bearerToken: '' })).toMatchObject({ path: 'bearerToken' });
  expect(refusal(x, { bearerToken: 'token' })).toBeUndefined();
  expect(refusal(x, { clientId: 'id', tokens: {} })).toBeUndefined();
});

test.for([
  [undefined, 'platform is missing'],
  [{}, 'platform is missing'],
  [{ platform: 'twitch' }, 'platform is not an adapter'],
  [{ platform: twitch }, 'platform is the function twitch: call it'],
] as const)('clients name a platform that is no adapter: %o', ([options, problem]) => {
  for (const [name, create] of [
    ['Bot', (given: never) => new Bot(given)],
    ['SocialAsync', (given: never) => new SocialAsync(given)],
  ] as const) {
    const error = refusal(create, options);
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ path: 'platform', message: expect.stringContaining(`${name}: ${problem}`) });
  }
});

test('clients refuse the adapters of each other', () => {
  const social = mastodon({ url, token: 'token' });
  const streaming = twitch({ clientId: 'id', clientSecret: 'secret' });

  expect(refusal((given: never) => new Bot(given), { platform: social })).toMatchObject({
    message: expect.stringContaining('SocialAsync for'),
  });
  expect(refusal((given: never) => new SocialAsync(given), { platform: streaming })).toMatchObject({
    message: expect.stringContaining('Bot is'),
  });
});
