import { expect, test } from 'vitest';
import { FileParam } from '#src/clients/social/files.ts';

test.each([
  'https:cards/../../secret',
  'HTTPS:\\\\example.org\\..\\secret',
  'ht\ntps://example.org/../secret',
  'https:/etc/passwd',
  'file:///etc/passwd',
  '../../secret',
])('a file with an address is never read from this machine: %j', (url) => {
  expect(FileParam.safeParse({ url }).success).toBe(false);
});
