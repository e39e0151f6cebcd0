import { describe, expect, test } from 'vitest';
import { accountsOn, sandboxUseOf, secretsOf } from '#src/config/accounts.ts';
import { configOfEnvironment } from '#src/config/config.ts';

const TWITCH = { TWITCH_CLIENT_ID: 'id', TWITCH_CLIENT_SECRET: 'a-secret' };
const KICK = { KICK_CLIENT_ID: 'id', KICK_CLIENT_SECRET: 'k-secret' };
const DISCORD = { DISCORD_TOKEN: 'a-token', DISCORD_GUILD_ID: '1' };

describe('the sandbox', () => {
  test('runs in this process without credentials', () => {
    expect(configOfEnvironment({ PATH: '/bin' }).sandbox).toBe('inside');
  });

  test('is off with one real credential', () => {
    expect(configOfEnvironment(TWITCH).sandbox).toBe('none');
    expect(configOfEnvironment(KICK).sandbox).toBe('none');
  });

  test('is in another process if all accounts belong to it', () => {
    const external = {
      SANDBOX_URL: 'http://127.0.0.1:8081/social/api',
      SANDBOX_TOKEN: 't-0123',
      TWITCH_API_URL: 'http://127.0.0.1:8081/twitch/helix',
    };

    expect(configOfEnvironment({ ...external, ...TWITCH }).sandbox).toBe('outside');
    expect(configOfEnvironment({ ...external, ...TWITCH, ...DISCORD }).sandbox).toBe('none');
    expect(sandboxUseOf(configOfEnvironment({ ...external, ...TWITCH, ...DISCORD }))).toBe('beside');
    expect(sandboxUseOf(configOfEnvironment({ ...external, ...TWITCH }))).toBe('outside');
    expect(configOfEnvironment({ ...external, ...TWITCH, ...KICK }).sandbox).toBe('none');
    expect(configOfEnvironment({ ...external, ...KICK, KICK_API_URL: 'http://127.0.0.1:8081/kick' }).sandbox).toBe('outside');
  });
});

test('an address can end with a slash', () => {
  const { accounts } = configOfEnvironment({ ...DISCORD, DISCORD_API_URL: 'https://discord.test/api/' });

  expect(accountsOn('discord', accounts)).toMatchObject([{ apiUrl: 'https://discord.test/api' }]);
});

describe('mistakes in the environment', () => {
  test.for([
    ['an invalid port', { PORT: 'eighty' }, /PORT/],
    ['half of a credential', { TWITCH_CLIENT_ID: 'id' }, /TWITCH_CLIENT_SECRET must also be set, because TWITCH_CLIENT_ID is set/],
    ['half of another', { KICK_CLIENT_SECRET: 'secret' }, /KICK_CLIENT_ID must also be set, because KICK_CLIENT_SECRET is set/],
    ['an invalid address', { ...TWITCH, TWITCH_API_URL: 'twitch' }, /TWITCH_API_URL/],
    ['a token without its server', { MASTODON_TOKEN: 'x' }, /MASTODON_URL must also be set, because MASTODON_TOKEN is set/],
    ['a password without its handle', { BLUESKY_APP_PASSWORD: 'x' }, /BLUESKY_HANDLE must also be set/],
    [
      'a part of the keys of X',
      { X_API_KEY: 'k', X_API_SECRET: 's' },
      /X_ACCESS_TOKEN and X_ACCESS_SECRET must also be set, because X_API_KEY and X_API_SECRET are set/,
    ],
    ['a secret of X without its id', { X_CLIENT_ID: '', X_CLIENT_SECRET: 's' }, /X_CLIENT_ID must also be set/],
  ] as const)('%s', ([, variables, message]) => {
    expect(() => configOfEnvironment(variables)).toThrow(message);
  });

  test('are reported at once', () => {
    const others = [expect.objectContaining({ message: expect.stringMatching(/^LOG_LEVEL: /u) as unknown })];

    expect(() => configOfEnvironment({ PORT: '-1', LOG_LEVEL: 'loud' })).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^PORT: /u) as unknown, others }),
    );
  });

  test('never contain the value', () => {
    expect(() => configOfEnvironment({ PORT: 'oauth:very-secret' })).toThrow(/^(?!.*very-secret)/);
  });

  test('an empty variable counts as absent', () => {
    expect(configOfEnvironment({ TWITCH_CLIENT_ID: '', PORT: '' })).toMatchObject({ sandbox: 'inside', port: 8080 });
  });
});

describe('an account for a later sign-in', () => {
  test.for([
    ['x', { X_CLIENT_ID: 'id' }, { platform: 'x', account: 'x', clientId: 'id', apiUrl: 'https://api.x.com' }],
    ['bluesky', { BLUESKY_HANDLE: 'ada.bsky.social' }, { platform: 'bluesky', handle: 'ada.bsky.social', url: 'https://bsky.social' }],
    ['mastodon', { MASTODON_URL: 'https://social.test/' }, { platform: 'mastodon', url: 'https://social.test' }],
  ] as const)('%s', ([, variables, account]) => {
    expect(configOfEnvironment(variables).accounts).toMatchObject([account]);
  });
});

test('a bearer token alone makes an X account', () => {
  expect(configOfEnvironment({ X_BEARER_TOKEN: 'b' }).accounts).toMatchObject([{ platform: 'x', bearerToken: 'b' }]);
});

test.for([
  ['postgres://u:100%25@db/fanfare', ['100%25', '100%']],
  // A start must not end with an error about the address, which the database can accept.
  ['postgres://u:100%@db/fanfare', ['100%']],
  ['postgres://db/fanfare?user=u&password=hidden-1', ['hidden-1']],
] as const)('the password of the database in %s is a secret', ([databaseUrl, passwords]) => {
  expect(secretsOf({ accounts: [], databaseUrl })).toEqual([databaseUrl, ...passwords]);
});

test('secretsOf returns all secrets', () => {
  const config = configOfEnvironment({
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
