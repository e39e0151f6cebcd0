import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { expect, test } from 'vitest';
import { indexWords } from '#src/store/index-words.ts';
import { indexNames } from '#src/store/name-index.ts';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import { openDatabase } from '#src/store/sqlite/open.ts';
import { NOTE_SETTLED } from '#src/store/sqlite/schema.ts';
import { writeToPostgres, writeToSqlite } from './bulk-installation.ts';
import { recordedPostgres, recordedSqlite, type RecordedDatabase } from './filtered-deliveries.ts';
import { endMs, largeInstallation, type LargeCounts } from './large-installation.ts';
import { createDatabase } from './postgres-database.ts';
import { temporaryFolder } from './temporary-folder.ts';

const COUNTS: LargeCounts = { rules: 10, deliveries: 400, episodes: 600, decisions: 900, actions: 50 };
/** Some rules have names from decisions only. */
const FEW_EPISODES: LargeCounts = { ...COUNTS, rules: 70, episodes: 60 };

type Contents = ReadonlyMap<string, readonly string[]>;

test.for([COUNTS, FEW_EPISODES])('a SQLite database in bulk has the rows and the schema of one that noted each row', async (counts) => {
  using folder = temporaryFolder();
  const bulk = join(folder.path, 'bulk');
  const each = join(folder.path, 'each');
  await writeToSqlite(openDatabase(bulk), counts);
  const database = openDatabase(each);
  for (const statement of [...largeInstallation(counts), NOTE_SETTLED]) database.exec(statement);
  await indexAll(recordedSqlite(database));

  const [written, expected] = [bulk, each].map((file) => {
    using opened = openDatabase(file);
    return contentsOf(opened);
  });
  expect(written).toEqual(expected);
  expect(expected?.get('item_name')?.length).toBeGreaterThan(counts.episodes);
  expect(expected?.get('decision_count')?.length).toBeGreaterThan(counts.rules);
  expect(expected?.get('words even')).toHaveLength(counts.deliveries / 2);
});

test('a schema of PostgreSQL in bulk has the rows and the indexes of one that noted each row', async () => {
  await using database = await createDatabase();
  const [bulk, each] = [database.newSchema(), database.newSchema()];
  const contents = async (schema: string, write: (client: pg.Client) => Promise<void>): Promise<Contents> => {
    await (await openPostgresStore({ url: database.url, schema }))[Symbol.asyncDispose]();
    const client = new pg.Client({ connectionString: database.url, options: `-c search_path=${schema},pg_catalog` });
    await client.connect();
    await write(client);
    const rows = await contentsOfSchema(client, schema);
    await client.end();
    return rows;
  };

  const written = await contents(bulk, (client) => writeToPostgres(client, { url: database.url, schema: bulk }, COUNTS));
  const expected = await contents(each, async (client) => {
    for (const statement of largeInstallation(COUNTS)) await client.query(statement);
    await indexAll(await recordedPostgres(database.url, each));
  });
  expect(written).toEqual(expected);
  expect(expected.get('item_name')?.length).toBeGreaterThan(COUNTS.episodes);
  expect(expected.get('decision_count')?.length).toBeGreaterThan(COUNTS.rules);
});

/** The work that a process does in the background. */
async function indexAll(opened: RecordedDatabase): Promise<void> {
  await using database = opened;
  while ((await indexNames(database.db, endMs(COUNTS))) > 0);
  while ((await indexWords(database.db)) > 0);
}

function contentsOf(database: DatabaseSync): Contents {
  const rowsOf = (statement: string): readonly string[] =>
    database
      .prepare(statement)
      .all()
      .map((row) => JSON.stringify(row))
      .toSorted();
  const tables = database.prepare("select name from sqlite_master where type = 'table' and name not glob 'delivery_words*'").all();
  const found = ['even', 'early', 's17'].map((word) => {
    return [`words ${word}`, rowsOf(`select rowid from delivery_words where delivery_words match '${word}'`)] as const;
  });
  return new Map([
    ...tables.map(({ name }) => [String(name), rowsOf(`select * from "${String(name)}"`)] as const),
    ['schema', rowsOf('select type, name, sql from sqlite_master')],
    ...found,
  ]);
}

async function contentsOfSchema(client: pg.Client, schema: string): Promise<Contents> {
  const rowsOf = async (statement: string): Promise<readonly string[]> => {
    const { rows } = await client.query<{ readonly row: string }>(statement);
    return rows.map(({ row }) => row).toSorted();
  };
  const { rows: tables } = await client.query<{ readonly name: string }>('select tablename as name from pg_tables where schemaname = $1', [
    schema,
  ]);
  const contents = new Map<string, readonly string[]>();
  for (const { name } of tables) contents.set(name, await rowsOf(`select "${name}"::text as row from "${name}"`));
  contents.set('indexes', await rowsOf(`select replace(indexdef, '${schema}.', '') as row from pg_indexes where schemaname = '${schema}'`));
  return contents;
}
