import { describe, expect, test } from 'vitest';
import { accountsOf } from '#src/app/accounts.ts';
import { catalogue } from '#src/catalogue.ts';
import { readConfig, settleConfig } from '#src/config/config.ts';
import type { FanfareFile } from '#src/config/file-form.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';

const TWITCH = { TWITCH_CLIENT_ID: 'id', TWITCH_CLIENT_SECRET: 'secret' };
const KICK = { KICK_CLIENT_ID: 'id', KICK_CLIENT_SECRET: 'secret' };
const DISCORD = { DISCORD_TOKEN: 'token', DISCORD_GUILD_ID: '1202584131993600001' };
const BERLIN = { berlin: { platform: 'discord', server: '1202584131993600007' } } as const;

test.for([
  ['nothing: the sandbox plays both, and a rule that names neither reads twitch', {}, { all: ['twitch', 'kick'], defaults: ['twitch'] }],
  ['kick alone', KICK, { all: ['kick'], defaults: ['kick'] }],
  ['both: there is no telling which one is meant', { ...TWITCH, ...KICK }, { all: ['twitch', 'kick'], defaults: ['twitch', 'kick'] }],
] as const)('the streaming accounts of %s', ([, variables, expected]) => {
  const { all, defaults } = accountsOf(readConfig(variables))['streaming'] ?? {};

  expect({ all, defaults }).toEqual(expected);
});

test('every account of Twitch has the limits of an application of its own, and each of a sandbox its length of posts', () => {
  const file: FanfareFile = {
    accounts: {
      alt: { platform: 'twitch', clientId: 'a', clientSecret: '${S}' },
      club: { platform: 'sandbox', url: 'http://127.0.0.1:1/social', token: '${S}' },
    },
  };

  const { streaming, social } = accountsOf(settleConfig({ ...TWITCH, S: 'secret' }, file).config);

  expect(streaming?.requestsPerMinute).toEqual({ twitch: 800, alt: 800 });
  expect(Object.keys(social?.textLimits ?? {})).toEqual(['club']);
});

describe('a rule in an installation with two servers', () => {
  /** What `check` says of a rule with these lines in its step, and the accounts that the step has. */
  function check(lines: string, defaults: FanfareFile['defaults'] = {}): readonly [said: readonly string[], as: readonly string[]] {
    const { config } = settleConfig(DISCORD, { accounts: BERLIN, defaults });
    const source = `id: hello\nabout: Hello.\nwhen: { cron: "0 9 * * *", timezone: UTC }\nthen:\n  - do: discord.send\n${lines}    with: { channel: live, content: hello }\n`;
    const { rules, diagnostics } = checkRule({ file: 'hello.yaml', source, catalogue, accounts: accountsOf(config) });
    return [diagnostics.map(({ message, hint }) => `${message} (${hint})`), rules[0]?.then[0]?.as ?? []];
  }

  test('sends in both that it names', () => {
    expect(check('    as: [discord, berlin]\n')).toEqual([[], ['discord', 'berlin']]);
  });

  test('that names none is asked which it means', () => {
    expect(check('')[0]).toEqual(['several accounts support discord.send: discord and berlin (write, for example, as: discord)']);
  });

  test('that names none means the defaults, where there are any', () => {
    expect(check('', { discord: ['berlin', 'discord'] })).toEqual([[], ['berlin', 'discord']]);
  });

  test('that misspells one is told what was meant', () => {
    expect(check('    as: berlni\n')[0]).toEqual(['no account berlni supports discord.send (did you mean berlin?)']);
  });
});
