import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fileCases } from './cases.ts';

const FOLDER = 'test/engine/testing/examples';

test.each(readdirSync(FOLDER))('the example rule passes %s', async (name) => {
  const rule = readFileSync(`test/rules/examples/${name.replace('.test.yaml', '.yaml')}`, 'utf8');

  const printed = await fileCases(rule, { file: name, source: readFileSync(`${FOLDER}/${name}`, 'utf8') });

  expect(printed.length).toBeGreaterThan(0);
  expect(printed.filter((one) => !one.startsWith('✓')).join('\n')).toBe('');
});
