import { expect, test } from 'vitest';
import { dutiesOf } from '#src/app/roles.ts';

const DATABASE = { databaseUrl: 'postgres://db/fanfare' };

test.each([
  ['all', { works: true, gateway: true, web: true }],
  ['worker', { works: true, gateway: false, web: false }],
  ['gateway', { works: false, gateway: true, web: false }],
  ['web', { works: false, gateway: false, web: true }],
] as const)('the role %s has its duties', (role, duties) => {
  expect(dutiesOf(role, DATABASE)).toEqual(duties);
});

test('a process without a database has all duties', () => {
  expect(dutiesOf('all', {})).toEqual({ works: true, gateway: true, web: true });
  expect(() => dutiesOf('worker', {})).toThrow(expect.objectContaining({ hint: 'set DATABASE_URL, or start without --role' }));
});
