import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { examineMachine } from '#src/admin/doctor/machine.ts';
import type { CheckResult } from '#src/admin/doctor/check-result.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const KEY = 'a-key-with-enough-characters';

/** What the doctor finds about a key. */
async function examineKey({
  file,
  ...given
}: {
  readonly file?: string;
  readonly environmentKey?: string;
  readonly platform?: NodeJS.Platform;
}): Promise<readonly CheckResult[]> {
  using folder = temporaryFolder();
  const keyFile = join(folder.path, 'key');
  if (file !== undefined) writeFileSync(keyFile, file, { mode: 0o600 });
  const options = { environmentKey: undefined, ...given, dataDirectory: folder.path, keyFile, environmentFile: join(folder.path, '.env') };
  const results = await examineMachine(options);
  return results.filter(({ about }) => about === 'the key').map((one) => ({ ...one, what: one.what.replace(keyFile, 'key') }));
}

test.for([
  ['an empty file, as a power cut leaves it', { file: '' }, 'key'],
  ['a short file', { file: 'short\n' }, 'key'],
  ['a short variable', { environmentKey: 'short' }, 'FANFARE_KEY'],
  ['a short variable beside a good file', { environmentKey: 'short', file: KEY }, 'FANFARE_KEY'],
] as const)('a key that decrypts nothing is bad: %s', async ([, key, place]) => {
  expect(await examineKey(key)).toEqual([
    {
      about: 'the key',
      state: 'bad',
      what: `${place}: the key has fewer than 24 characters`,
      remedy: 'create a key with openssl rand -base64 32; after a change of the key, sign in to the accounts again',
    },
  ]);
});

test.for([
  [{ file: KEY, platform: 'linux' }, [{ state: 'good', what: 'only its owner can read key' }]],
  [{ file: KEY, platform: 'win32' }, []],
  [{ environmentKey: KEY, file: '' }, [{ state: 'good', what: 'FANFARE_KEY is set' }]],
  [{}, []],
] as const)('a usable key passes, and so does a missing one before the first sign-in: %j', async ([key, expected]) => {
  expect(await examineKey(key)).toMatchObject(expected);
});
