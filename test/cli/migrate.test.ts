import { afterAll, expect, test } from 'vitest';
import { createDatabase } from '../support/postgres-database.ts';
import { runHere } from '../support/run-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const postgres = await createDatabase();
afterAll(() => postgres[Symbol.asyncDispose]());

test('a password on the command line gets a warning, which does not repeat it', async () => {
  using folder = temporaryFolder();
  const { output } = await runHere({ args: ['migrate', '--to', postgres.url], environment: { FANFARE_DATA: folder.path } });

  expect(output).toContain('warning: other users of this machine can see the password in --to');
  expect(output).not.toContain(new URL(postgres.url).password);
});
