import { expect, test } from 'vitest';
import { zone } from '#src/rules/clocks/zone.ts';

test('a zone has the same clocks however it is spelt', () => {
  expect(zone('europe/PARIS')).toBe(zone('Europe/Paris'));
});
