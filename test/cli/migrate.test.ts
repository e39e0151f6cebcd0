import { afterAll, expect, test } from 'vitest';
import { printMoved } from '#src/cli/migrate.ts';
import { createDatabase } from '../support/postgres-database.ts';
import { runHere } from '../support/run-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { collectLines } from './collect-lines.ts';

const postgres = await createDatabase();
afterAll(() => postgres[Symbol.asyncDispose]());

test('a password on the command line gets a warning, which does not repeat it', async () => {
  using folder = temporaryFolder();
  const { output } = await runHere({ args: ['migrate', '--to', postgres.url], environment: { FANFARE_DATA: folder.path } });

  expect(output).toContain('warning: other users of this machine can see the password in --to');
  expect(output).not.toContain(new URL(postgres.url).password);
});

test.for([
  [{ direction: 'toPostgres', to: 'db.example/fanfare.sqlite' }, 'Next: set DATABASE_URL, and start Fanfare.'],
  [{ direction: 'toSqlite', to: 'data/fanfare.sqlite' }, 'Next: remove DATABASE_URL, and start Fanfare.'],
  [
    { direction: 'toSqlite', to: 'new/state', opens: 'data/fanfare.sqlite' },
    'Next: remove DATABASE_URL, move new/state to data/fanfare.sqlite, and start Fanfare.',
  ],
] as const)('the next step after a move is printed: %j', ([moved, expected]) => {
  const { out, text } = collectLines();

  printMoved({ ...moved, tables: [], before: 'before', hasTokens: false }, out);

  expect(text().split('\n').at(-1)).toBe(expected);
});

test('the count of moved rows agrees with its noun', () => {
  const { out, text } = collectLines();

  printMoved({ direction: 'toPostgres', to: 'db', tables: [{ name: 'memory', rows: 1 }], before: 'before', hasTokens: false }, out);

  expect(text()).toContain('1 row in 1 table,');
});
