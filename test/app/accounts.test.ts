import { describe, expect, test } from 'vitest';
import { accountsOf } from '#src/app/accounts.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { configOfEnvironment, mergeConfig } from '#src/config/config.ts';
import type { FanfareFile } from '#src/config/fanfare-file.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';

const TWITCH = { TWITCH_CLIENT_ID: 'id', TWITCH_CLIENT_SECRET: 'secret' };
const KICK = { KICK_CLIENT_ID: 'id', KICK_CLIENT_SECRET: 'secret' };
const DISCORD = { DISCORD_TOKEN: 'token', DISCORD_GUILD_ID: '1202584131993600001' };
const BERLIN = { berlin: { platform: 'discord', server: '1202584131993600007' } } as const;

test.for([
  ['no platform are those of the sandbox, with twitch as the default', {}, { all: ['twitch', 'kick'], defaults: ['twitch'] }],
  ['kick are kick only', KICK, { all: ['kick'], defaults: ['kick'] }],
  ['both platforms have no single default', { ...TWITCH, ...KICK }, { all: ['twitch', 'kick'], defaults: ['twitch', 'kick'] }],
] as const)('the streaming accounts with credentials of %s', ([, variables, expected]) => {
  const { all, defaults } = accountsOf(configOfEnvironment(variables))['streaming'] ?? {};

  expect({ all, defaults }).toEqual(expected);
});

test('each account of Twitch has its own rate limit, and each account of a sandbox its own length limit', () => {
  const file: FanfareFile = {
    accounts: {
      alt: { platform: 'twitch', clientId: 'a', clientSecret: '${S}' },
      club: { platform: 'sandbox', url: 'http://127.0.0.1:1/social', token: '${S}' },
    },
  };

  const { streaming, social } = accountsOf(mergeConfig({ ...TWITCH, S: 'secret' }, file).config);

  expect(streaming?.requestsPerMinute).toEqual({ twitch: 800, alt: 800 });
  expect(Object.keys(social?.textLimits ?? {})).toEqual(['club']);
});

describe('a rule in an installation with two servers', () => {
  /** The diagnostics of a rule with these lines in its step, and the accounts of the step. */
  function check(lines: string, defaults: FanfareFile['defaults'] = {}): readonly [diagnostics: readonly string[], as: readonly string[]] {
    const { config } = mergeConfig(DISCORD, { accounts: BERLIN, defaults });
    const source = `id: hello\nabout: Hello.\nwhen: { cron: "0 9 * * *", timezone: UTC }\nthen:\n  - do: discord.send\n${lines}    with: { channel: live, content: hello }\n`;
    const { rules, diagnostics } = checkRule({ file: 'hello.yaml', source, catalogue, accounts: accountsOf(config) });
    return [diagnostics.map(({ message, hint }) => `${message} (${hint})`), rules[0]?.then[0]?.as ?? []];
  }

  test('sends in both servers if it names both', () => {
    expect(check('    as: [discord, berlin]\n')).toEqual([[], ['discord', 'berlin']]);
  });

  test('needs the name of an account if there is no default', () => {
    expect(check('')[0]).toEqual(['several accounts support discord.send: discord and berlin (write, for example, as: discord)']);
  });

  test('uses the default accounts without a name', () => {
    expect(check('', { discord: ['berlin', 'discord'] })).toEqual([[], ['berlin', 'discord']]);
  });

  test('gets a suggestion for a misspelled account', () => {
    expect(check('    as: berlni\n')[0]).toEqual(['there is no account berlni (did you mean berlin?)']);
  });
});
