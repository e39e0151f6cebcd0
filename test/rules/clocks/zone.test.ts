import { expect, test } from 'vitest';
import { zone } from '#src/rules/clocks/zone.ts';

test('zone names ignore case', () => {
  expect(zone('europe/PARIS')).toBe(zone('Europe/Paris'));
});
