import { expect, test } from 'vitest';
import { defaultsFirst } from '#src/app/defaults-first.ts';

const accounts = [{ account: 'kick' }, { account: 'twitch' }, { account: 'berlin' }];

test.for([
  [undefined, ['kick', 'twitch', 'berlin']],
  [[], ['kick', 'twitch', 'berlin']],
  [['berlin'], ['berlin', 'kick', 'twitch']],
  [
    ['twitch', 'berlin', 'gone'],
    ['twitch', 'berlin', 'kick'],
  ],
] as const)('with the defaults %j the accounts are %j', ([defaults, order]) => {
  const ordered = defaultsFirst(accounts, defaults);

  expect(ordered.map(({ account }) => account)).toEqual(order);
  expect(new Set(ordered)).toEqual(new Set(accounts));
});
