import { expect, test } from 'vitest';
import { z } from 'zod';
import { bareName, markdownText, postText, textKind } from '#src/clients/operation/parameters.ts';
import { countProcessorMs, slowdown } from '../../support/processor-time.ts';

test.for([
  ['markdown', markdownText()],
  ['markdown', markdownText().max(2000).describe('What it says.')],
  ['post', postText().min(1)],
  [undefined, z.string()],
  [undefined, z.string().meta({ text: 'other' })],
] as const)('a text is read as %s', ([kind, schema]) => {
  expect(textKind(schema)).toBe(kind);
});

test('a name with many spaces in it is read in time', () => {
  const name = `ada${' '.repeat(60_000)}x`;
  const workedMs = countProcessorMs();

  expect(bareName(`\u200b @${name}\u2060 `)).toBe(name);
  expect(workedMs()).toBeLessThan(100 * slowdown());
});
