import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startApp } from '#src/app/app.ts';
import { getJson } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a running Fanfare records the use of its accounts, and stops at once', async () => {
  using folder = temporaryFolder({ inMemory: true });
  mkdirSync(join(folder.path, 'rules'));
  const environment = {
    X_BEARER_TOKEN: 'b',
    PORT: '0',
    FANFARE_DATA: join(folder.path, 'data'),
    FANFARE_RULES: join(folder.path, 'rules'),
  };
  const lines: string[] = [];
  const app = await startApp({ environment, write: (line) => void lines.push(line), color: false });

  const days = () => getJson(`${app.url}/api/accounts/x/usage`);
  const today = { day: expect.any(String) as string };
  // The sum of a month is the spending of a day only on the first one.
  const expected = [{ items: [today] }, { items: [{ ...today, spentUsd: 0 }] }];
  await vi.waitFor(async () => expect(expected).toContainEqual(await days()), { timeout: 60_000 });
  await app[Symbol.asyncDispose]();

  expect(lines.filter((line) => line.includes('the use of the accounts'))).toEqual([]);
});
