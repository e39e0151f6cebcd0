import { expect, test } from 'vitest';
import { z } from 'zod';
import { markdownText, postText, textKind } from '#src/clients/operation/parameters.ts';

test.for([
  ['markdown', markdownText()],
  ['markdown', markdownText().max(2000).describe('What it says.')],
  ['post', postText().min(1)],
  [undefined, z.string()],
  [undefined, z.string().meta({ text: 'other' })],
] as const)('a text is read as %s', ([kind, schema]) => {
  expect(textKind(schema)).toBe(kind);
});
