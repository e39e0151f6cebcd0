import { expect, test } from 'vitest';
import { FileParam } from '#src/social/files.ts';

test.each([
  'https:cards/../../secret',
  'HTTPS:\\\\example.org\\..\\secret',
  'ht\ntps://example.org/../secret',
  'https:/etc/passwd',
  'file:///etc/passwd',
  '../../secret',
])('a file that is named by an address is never one of this machine: %j', (url) => {
  expect(FileParam.safeParse({ url }).success).toBe(false);
});
