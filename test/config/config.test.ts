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
    ['a platform without an adapter', { MASTODON_TOKEN: 'x' }, /no adapter for Mastodon/],
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

test('every secret is known as one', () => {
  const config = readConfig({
    ...TWITCH,
    ...KICK,
    ...DISCORD,
    ASSISTANT_API_KEY: 'a-key',
    ASSISTANT_MODEL: 'm',
    SANDBOX_URL: 'http://x.test',
    SANDBOX_TOKEN: 's-token',
  });

  expect(secretsOf(config)).toEqual(['a-secret', 'k-secret', 'a-token', 'a-key', 's-token']);
});
