import { join } from 'node:path';
import { test } from 'vitest';
import pg from 'pg';
import { indexWords } from '#src/store/index-words.ts';
import { indexNames } from '#src/store/name-index.ts';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import { openDatabase } from '#src/store/sqlite/open.ts';
import { recordedPostgres, recordedSqlite } from '../support/filtered-deliveries.ts';
import { endMs, LARGE, largeInstallation } from '../support/large-installation.ts';
import { startPostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
test('x', { timeout: 900000 }, async () => {
  let t = performance.now();
  let c = process.cpuUsage();
  const lap = (name: string) => {
    const u = process.cpuUsage(c);
    console.log(
      name.slice(0, 150).replaceAll('\n', ' '),
      'WALL',
      Math.round(performance.now() - t),
      'CPU',
      Math.round((u.user + u.system) / 1000),
    );
    t = performance.now();
    c = process.cpuUsage();
  };
  const folder = temporaryFolder();
  const database = openDatabase(join(folder.path, 'fanfare.sqlite'));
  database.exec('pragma synchronous = off; pragma cache_size = -200000; begin');
  for (const statement of largeInstallation(LARGE)) {
    database.exec(statement);
    lap('lite ' + statement.replace(/^with.*?\n/u, ''));
  }
  database.exec('commit');
  lap('commit');
  const r = recordedSqlite(database);
  while ((await indexNames(r.db, endMs(LARGE), 5000)) >= 5000);
  lap('names');
  while ((await indexWords(r.db, 5000)) > 0);
  lap('words');
  await r[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
  const postgres = await startPostgres({
    settings: { max_wal_size: '4GB', shared_buffers: '512MB', max_parallel_workers_per_gather: '0' },
  });
  const schema = postgres.newSchema();
  await (await openPostgresStore({ url: postgres.url, schema }))[Symbol.asyncDispose]();
  const client = new pg.Client({ connectionString: postgres.url, options: `-c search_path=${schema},pg_catalog` });
  await client.connect();
  lap('start postgres');
  for (const statement of largeInstallation(LARGE)) {
    await client.query(statement);
    lap('pg ' + statement.replace(/^with.*?\n/u, ''));
  }
  const p = await recordedPostgres(postgres.url, schema);
  while ((await indexNames(p.db, endMs(LARGE), 5000)) >= 5000);
  lap('names');
  await p[Symbol.asyncDispose]();
  await client.query('vacuum analyze');
  lap('vacuum');
  await client.end();
  await postgres[Symbol.asyncDispose]();
});
