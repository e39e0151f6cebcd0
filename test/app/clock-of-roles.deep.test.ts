import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startApp } from '#src/app/app.ts';
import { createDatabase } from '../support/postgres-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test.each(['web', 'gateway'] as const)('a process with the role %s restarts after the clock of the database was set back', async (role) => {
  await using database = await createDatabase();
  using folder = temporaryFolder({ inMemory: true });
  mkdirSync(join(folder.path, 'rules'));
  const environment = {
    DATABASE_URL: database.url,
    PORT: '0',
    FANFARE_DATA: join(folder.path, 'data'),
    FANFARE_RULES: join(folder.path, 'rules'),
    X_BEARER_TOKEN: 'b',
  };
  const lines: string[] = [];
  {
    await using app = await startApp({ role, environment, write: (line) => void lines.push(line), color: false });
    const client = new pg.Client(database.url);
    await client.connect();
    await client.query(`create or replace function fanfare.now_ms() returns bigint language sql volatile
      as $$ select floor(extract(epoch from clock_timestamp()) * 1000)::bigint - 7200000 $$`);
    await client.end();

    await app.clockSetBack;
  }

  expect(lines.join('')).toContain('the clock was set back: Fanfare restarts and continues from now');
});
