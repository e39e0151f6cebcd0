import { expect, test } from 'vitest';
import { openRules } from '#src/app/open-rules.ts';
import { selected } from '../support/property.ts';

const ACCOUNTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  twitch: { TWITCH_CLIENT_ID: 'i', TWITCH_CLIENT_SECRET: 's' },
  kick: { KICK_CLIENT_ID: 'i', KICK_CLIENT_SECRET: 's' },
  x: { X_API_KEY: 'k', X_API_SECRET: 's', X_ACCESS_TOKEN: 't', X_ACCESS_SECRET: 'u' },
  bluesky: { BLUESKY_HANDLE: 'ada.example.org', BLUESKY_APP_PASSWORD: 'p' },
  mastodon: { MASTODON_URL: 'https://example.social', MASTODON_TOKEN: 't' },
  discord: { DISCORD_TOKEN: 'd', DISCORD_GUILD_ID: '1202584131993600007' },
  assistant: { ASSISTANT_API_KEY: 'a', ASSISTANT_MODEL: 'm' },
};
const names = Object.keys(ACCOUNTS);
const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other]));

/** None, one platform alone, and all; in the deep tests, also each platform alone, each pair and all but one. */
const sets = [
  [],
  ...selected(
    names.map((name) => [name]),
    1,
  ),
  names,
  ...selected([...pairs, ...names.map((left) => names.filter((name) => name !== left))], 0),
];

test.each(sets.map((set) => [set]))('the tests of the shipped rules pass with the accounts %j', async (set) => {
  const environment = Object.assign({ FANFARE_RULES: 'rules', FANFARE_DATA: 'does-not-exist' }, ...set.map((name) => ACCOUNTS[name]));

  const { cases, diagnostics, untested } = await openRules(environment).runTests([]);

  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(cases.filter(({ passed }) => !passed).map((one) => one.print({ color: false }))).toEqual([]);
  expect(cases.length).toBeGreaterThan(50);
  expect(untested).toEqual([]);
});
