import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The values of a key in the unit, in their order. */
function valuesOf(key: string): readonly string[] {
  const lines = readFileSync('contrib/fanfare.service', 'utf8').split('\n');
  return lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1));
}

test('the service is started again however long a cause outside of Fanfare lasts, for example a full disk', () => {
  expect(valuesOf('Restart')).toEqual(['on-failure']);
  expect(valuesOf('StartLimitIntervalSec')).toEqual(['0']);
  expect(valuesOf('StartLimitBurst')).toEqual([]);
});
