import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openStore } from '#src/store/store.ts';
import { createDatabase } from '../support/postgres-database.ts';
import { longestStayMs, runCommand } from '../support/run-command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const postgres = await createDatabase();
afterAll(() => postgres[Symbol.asyncDispose]());

test('migrate ends as soon as the state has moved, to PostgreSQL and back', async () => {
  using folder = temporaryFolder();
  {
    await using store = await openStore({ file: join(folder.path, 'fanfare.sqlite') });
    await store.environments.begin('real', { isAlone: true });
  }
  const environment = { FANFARE_DATA: folder.path };

  const there = await runCommand({
    args: ['migrate', '--to', 'env:NEW_DATABASE'],
    environment: { ...environment, NEW_DATABASE: postgres.url },
  });
  const back = await runCommand({
    args: ['migrate', '--to', join(folder.path, 'new')],
    environment: { ...environment, DATABASE_URL: postgres.url },
  });
  const again = await runCommand({
    args: ['migrate', '--to', 'env:NEW_DATABASE', '--json'],
    environment: { FANFARE_DATA: join(folder.path, 'new'), NEW_DATABASE: postgres.url },
  });

  expect(there).toMatchObject({ code: 0, output: expect.stringContaining('Next: set DATABASE_URL') });
  expect(back).toMatchObject({ code: 0, output: expect.stringContaining('Next: remove DATABASE_URL, move') });
  expect(JSON.parse(again.output)).toMatchObject({ version: 1, direction: 'toPostgres', tables: expect.any(Array), hasTokens: false });
  expect(Math.max(there.stayedMs, back.stayedMs)).toBeLessThan(longestStayMs());
});
