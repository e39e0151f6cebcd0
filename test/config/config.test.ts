import { describe, expect, test } from 'vitest';
import { accountsOn, secretsOf } from '#src/config/accounts.ts';
import { readConfig } from '#src/config/config.ts';

const TWITCH = { TWITCH_CLIENT_ID: 'id', TWITCH_CLIENT_SECRET: 'a-secret' };
const KICK = { KICK_CLIENT_ID: 'id', KICK_CLIENT_SECRET: 'k-secret' };
const DISCORD = { DISCORD_TOKEN: 'a-token', DISCORD_GUILD_ID: '1' };

describe('what plays', () => {
  test('without any credential, the sandbox in this process', () => {
    expect(readConfig({ PATH: '/bin' }).sandbox).toBe('inside');
  });

  test('one real credential switches the sandbox off altogether', () => {
    expect(readConfig(TWITCH).sandbox).toBe('none');
    expect(readConfig(KICK).sandbox).toBe('none');
  });

  test('a sandbox elsewhere plays where every account belongs to it', () => {
    const there = {
      SANDBOX_URL: 'http://127.0.0.1:8081/social/api',
      SANDBOX_TOKEN: 't-0123',
      TWITCH_API_URL: 'http://127.0.0.1:8081/twitch/helix',
    };

    expect(readConfig({ ...there, ...TWITCH }).sandbox).toBe('outside');
    expect(readConfig({ ...there, ...TWITCH, ...DISCORD }).sandbox).toBe('none');
    expect(readConfig({ ...there, ...TWITCH, ...KICK }).sandbox).toBe('none');
    expect(readConfig({ ...there, ...KICK, KICK_API_URL: 'http://127.0.0.1:8081/kick' }).sandbox).toBe('outside');
  });
});

test('an address may end with a slash or without one', () => {
  const { accounts } = readConfig({ ...DISCORD, DISCORD_API_URL: 'https://discord.test/api/' });

  expect(accountsOn('discord', accounts)).toMatchObject([{ apiUrl: 'https://discord.test/api' }]);
});

describe('mistakes in the environment', () => {
  test.for([
    ['a port that is none', { PORT: 'eighty' }, /PORT/],
    ['all mistakes at once', { PORT: '-1', LOG_LEVEL: 'loud' }, /PORT[\s\S]*LOG_LEVEL/],
    ['half of a credential', { TWITCH_CLIENT_ID: 'id' }, /TWITCH_CLIENT_SECRET must be set, too, beside TWITCH_CLIENT_ID/],
    ['half of another', { KICK_CLIENT_SECRET: 'secret' }, /KICK_CLIENT_ID must be set, too, beside KICK_CLIENT_SECRET/],
    ['an address that is none', { ...TWITCH, TWITCH_API_URL: 'twitch' }, /TWITCH_API_URL/],
    ['a token without its server', { MASTODON_TOKEN: 'x' }, /MASTODON_URL must be set, too, beside MASTODON_TOKEN/],
    ['a password without its handle', { BLUESKY_APP_PASSWORD: 'x' }, /BLUESKY_HANDLE must be set, too/],
    ['a part of the keys of X', { X_API_KEY: 'k', X_API_SECRET: 's' }, /X_ACCESS_TOKEN and X_ACCESS_SECRET must be set, too/],
    ['a secret of X without its id', { X_CLIENT_ID: '', X_CLIENT_SECRET: 's' }, /X_CLIENT_ID must be set, too/],
  ] as const)('%s', ([, variables, message]) => {
    expect(() => readConfig(variables)).toThrow(message);
  });

  test('never repeat what may be a secret in the wrong place', () => {
    expect(() => readConfig({ PORT: 'oauth:very-secret' })).toThrow(/^(?!.*very-secret)/);
  });

  test('an empty variable counts as none', () => {
    expect(readConfig({ TWITCH_CLIENT_ID: '', PORT: '' })).toMatchObject({ sandbox: 'inside', port: 8080 });
  });
});

describe('an account that somebody signs in to later', () => {
  test.for([
    ['x', { X_CLIENT_ID: 'id' }, { platform: 'x', account: 'x', clientId: 'id', apiUrl: 'https://api.x.com' }],
    ['bluesky', { BLUESKY_HANDLE: 'ada.bsky.social' }, { platform: 'bluesky', handle: 'ada.bsky.social', url: 'https://bsky.social' }],
    ['mastodon', { MASTODON_URL: 'https://social.test/' }, { platform: 'mastodon', url: 'https://social.test' }],
  ] as const)('%s', ([, variables, account]) => {
    expect(readConfig(variables).accounts).toMatchObject([account]);
  });
});

test('a bearer token is enough to read X with', () => {
  expect(readConfig({ X_BEARER_TOKEN: 'b' }).accounts).toMatchObject([{ platform: 'x', bearerToken: 'b' }]);
});

test('every secret is known as one', () => {
  const config = readConfig({
    ...TWITCH,
    ...KICK,
    ...DISCORD,
    ASSISTANT_API_KEY: 'a-key',
    ASSISTANT_MODEL: 'm',
    SANDBOX_URL: 'http://x.test',
    SANDBOX_TOKEN: 's-token',
    X_CLIENT_ID: 'id',
    X_CLIENT_SECRET: 'x-secret',
    X_BEARER_TOKEN: 'x-bearer',
    X_API_KEY: 'x-key',
    X_API_SECRET: 'x-key-secret',
    X_ACCESS_TOKEN: 'x-access',
    X_ACCESS_SECRET: 'x-access-secret',
    BLUESKY_HANDLE: 'ada.bsky.social',
    BLUESKY_APP_PASSWORD: 'b-password',
    MASTODON_URL: 'https://social.test',
    MASTODON_TOKEN: 'm-token',
    FANFARE_KEY: 'f-key',
    GIPHY_API_KEY: 'g-key',
  });

  const ofX = ['x-secret', 'x-bearer', 'x-key', 'x-key-secret', 'x-access', 'x-access-secret'];
  const others = ['a-secret', 'k-secret', 'b-password', 'm-token', 'f-key', 'g-key', 'a-token', 'a-key', 's-token'];
  expect(secretsOf(config).toSorted()).toEqual([...ofX, ...others].toSorted());
});
