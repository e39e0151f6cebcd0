import { expect, test } from 'vitest';
import type { Accounts } from '#src/rules/accounts.ts';
import { ACCOUNTS } from '../people/people-stage.ts';
import { check } from '../../support/rule-language.ts';

const VIDEOS = 'watch: streaming.getUserVideos, with: { user: ada }';

function rule({ when = VIDEOS, as = '' } = {}): string {
  return `id: r\nwhen: { every: 10m, ${when} }\nthen:\n  - { do: discord.send, ${as}with: { channel: live, content: hi } }\n`;
}

const reported = (source: string, accounts: Accounts = ACCOUNTS): readonly string[] =>
  check(source, { accounts }).diagnostics.map(({ severity, message, hint = '' }) => `${severity} ${message} (${hint})`);

test.for<[name: string, source: string, expected: string]>([
  [
    'an account that is not connected',
    rule({ when: `${VIDEOS}, account: youtube` }),
    'error there is no account youtube (connect it with npx fanfare auth, or write twitch)',
  ],
  [
    'an account of another platform',
    rule({ when: `${VIDEOS}, account: mastodon` }),
    'error the account mastodon does not support streaming.getUserVideos (available: twitch)',
  ],
  ['a misspelled account', rule({ when: `${VIDEOS}, account: twich` }), 'error there is no account twich (did you mean twitch?)'],
  ['a short name of a platform', rule({ when: `${VIDEOS}, account: ttv` }), 'error there is no account ttv (did you mean twitch?)'],
  ['an account with a capital letter', rule({ as: 'as: Discord, ' }), 'error there is no account Discord (did you mean discord?)'],
])('names %s', ([, source, expected]) => {
  expect(reported(source)).toContain(expected);
});

test('an account without any account to suggest is to be connected', () => {
  const accounts = { ...ACCOUNTS, discord: { all: [], defaults: [] } };

  expect(reported(rule({ as: 'as: berlin, ' }), accounts)).toEqual(['error there is no account berlin (connect it with npx fanfare auth)']);
});

test('the example of an account can read the list', () => {
  const accounts = { ...ACCOUNTS, streaming: { ...ACCOUNTS.streaming, all: ['kick', 'twitch'], defaults: [] } };

  expect(reported(rule(), accounts)).toEqual([
    'error several accounts support streaming.getUserVideos: kick and twitch (write, for example, account: twitch)',
  ]);
});

test.for<[name: string, when: string, expected: readonly RegExp[]]>([
  ['an operation', `${VIDEOS}, account: kick`, [/^warning kick does not support this: each poll fails there \(NO_ENDPOINT/]],
  ['an operation of one account', `${VIDEOS}, account: [twitch, kick]`, [/^warning kick does not support this: each poll fails there/]],
  ['nothing', `${VIDEOS}, account: twitch`, []],
])('a poll through a platform that lacks %s', ([, when, expected]) => {
  const found = reported(rule({ when }));

  expect(found).toEqual(expected.map((one): unknown => expect.stringMatching(one)));
});
