import { expect, test } from 'vitest';
import { defaultsFirst } from '#src/app/defaults-first.ts';

const accounts = new Map([
  ['kick', 1],
  ['twitch', 2],
  ['berlin', 3],
]);

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

  expect([...ordered.keys()]).toEqual(order);
  expect(new Map(ordered)).toEqual(accounts);
});
