import { afterAll, expect, test } from 'vitest';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import { committing, creating, firing, SLOT_MS } from '../support/firings.ts';
import { launch } from '../support/fanfare-process.ts';
import { startPostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const postgres = await startPostgres();
afterAll(() => postgres[Symbol.asyncDispose]());

async function run(...args: readonly string[]): Promise<readonly [code: number | undefined, output: string]> {
  using folder = temporaryFolder();
  const environment = { DATABASE_URL: postgres.url, FANFARE_DATA: folder.path, NO_COLOR: '1' };
  const command = await launch({ args: ['restore', ...args], environment });
  return [await command.exit, command.output()];
}

test('fanfare restore notes in a database that its state is a copy', async () => {
  expect(await run()).toEqual([1, expect.stringMatching(/^error: DATABASE_URL: the database \S+ has no state\n {2}restore the dump/u)]);
  {
    await using store = await openPostgresStore({ url: postgres.url });
    await store.ruleStates.commit(committing([firing([creating(['mastodon'])])]));
    await store.sealedRows.save('x', 'sealed');
    const token = { id: '3f2a81c0', name: 'ci', scope: 'read', by: 'ada' } as const;
    await (await store.openAccess()).apiTokens.add('hash', token);
  }

  const [code, output] = await run();

  expect(code).toBe(0);
  const [first, ...more] = output.split('\n');
  expect(first).toMatch(/^Restore noted in \S+\. Its state is as of \d{4}-\d\d-\d\dT[\d:.]+Z\.$/u);
  expect(Date.parse(/as of (\S+)\./u.exec(first ?? '')?.[1] ?? '')).toBeGreaterThanOrEqual(SLOT_MS);
  expect(more).toEqual([
    'Waiting deliveries that Fanfare searches for before it sends them: 1.',
    expect.stringMatching(/^Check who may sign in: /u),
    expect.stringMatching(/^The key is missing/u),
    expect.stringMatching(/^Next: start Fanfare\. Before it sends anything, it searches the platforms/u),
    expect.stringMatching(/^If the search has no clear result/u),
    '',
  ]);
});

test('fanfare restore rejects a file with DATABASE_URL', async () => {
  expect(await run('backup.sqlite')).toEqual([1, expect.stringContaining('then run npx fanfare restore without a file')]);
});
