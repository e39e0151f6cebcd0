import { expect, test } from 'vitest';
import { accountsOf } from '#src/app/accounts.ts';
import { readConfig } from '#src/config/config.ts';

const TWITCH = { TWITCH_CLIENT_ID: 'id', TWITCH_CLIENT_SECRET: 'secret' };
const KICK = { KICK_CLIENT_ID: 'id', KICK_CLIENT_SECRET: 'secret' };

test.for([
  ['nothing: the sandbox plays both, and a rule that names neither reads twitch', {}, { all: ['twitch', 'kick'], defaults: ['twitch'] }],
  ['kick alone', KICK, { all: ['kick'], defaults: ['kick'] }],
  ['both: there is no telling which one is meant', { ...TWITCH, ...KICK }, { all: ['twitch', 'kick'], defaults: ['twitch', 'kick'] }],
] as const)('the streaming accounts of %s', ([, variables, expected]) => {
  const { all, defaults } = accountsOf(readConfig(variables))['streaming'] ?? {};

  expect({ all, defaults }).toEqual(expected);
});
