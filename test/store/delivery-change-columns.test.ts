import { expect, test } from 'vitest';
import { differencesOf } from '#src/store/delivery-change-columns.ts';
import { storedDelivery } from '../support/stored-delivery.ts';

const BEGUN = { state: 'sending', attempts: 1, lostAt: undefined, error: undefined, message: undefined } as const;

test('a change stores no value that was absent and stays absent', () => {
  expect(differencesOf(storedDelivery(), BEGUN)).toStrictEqual({ state: 'sending', attempts: 1 });
});

test('a change removes a value that was there', () => {
  const delivery = storedDelivery({ error: { fault: 'unavailable', message: 'the platform is down' }, lostAt: new Date(1) });

  expect(differencesOf(delivery, BEGUN)).toStrictEqual({ state: 'sending', attempts: 1, lostAt: undefined, error: undefined });
});

test('a change removes a withdrawal that was stored after the delivery was read', () => {
  expect(differencesOf(storedDelivery(), { state: 'skipped', withdrawn: undefined })).toStrictEqual({
    state: 'skipped',
    withdrawn: undefined,
  });
});
