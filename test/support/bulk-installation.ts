import type { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';
import { indexNames } from '#src/store/name-index.ts';
import { NOTE_SETTLED } from '#src/store/sqlite/schema.ts';
import { recordedPostgres, recordedSqlite, type RecordedDatabase } from './filtered-deliveries.ts';
import { endMs, largeInstallation, lastNames, type LargeCounts } from './large-installation.ts';

/** The tables with many rows. */
const LARGE_TABLES = `('delivery', 'decision', 'audit', 'episode', 'past_episode')`;
const COUNT_DECISIONS =
  'insert into decision_count (rule, outcome, count) select rule, outcome, count(*) from decision group by rule, outcome';
const INDEXED_AT_ONCE = 5000;

interface SchemaPart {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

/**
 * Writes a large installation into an empty SQLite database, with its indexes of words and names.
 *
 * Indexes and counts are made after the rows, without the triggers of each row, which takes half of the time.
 */
export async function writeToSqlite(database: DatabaseSync, counts: LargeCounts): Promise<void> {
  database.exec('pragma synchronous = off; pragma foreign_keys = off; begin');
  const parts = database
    .prepare(
      `select type, name, sql from sqlite_master where tbl_name in ${LARGE_TABLES} and (type = 'trigger' or type = 'index' and sql is not null)`,
    )
    .all() as unknown as readonly SchemaPart[]; // these three columns have a text in these rows
  for (const { type, name } of parts) database.exec(`drop ${type} ${name}`);
  for (const statement of [...largeInstallation(counts), NOTE_SETTLED, COUNT_DECISIONS]) database.exec(statement);
  for (const { sql } of parts) database.exec(sql);
  database.exec('insert into delivery_words (rowid, words) select seq, words from delivery order by seq');
  for (const statement of lastNames(counts)) database.exec(statement);
  database.exec('commit');
  await indexAll(recordedSqlite(database), counts);
}

/** Writes a large installation into an empty schema of PostgreSQL, as `writeToSqlite` does. */
export async function writeToPostgres(
  client: pg.Client,
  { url, schema }: { readonly url: string; readonly schema: string },
  counts: LargeCounts,
): Promise<void> {
  const { rows } = await client.query<{ readonly name: string; readonly definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where schemaname = $1 and tablename in ${LARGE_TABLES} and indexdef not like 'CREATE UNIQUE%'`,
    [schema],
  );
  // The triggers of each row are off, also those of foreign keys.
  await client.query(`set session_replication_role = replica; ${rows.map(({ name }) => `drop index ${name}`).join('; ')}`);
  for (const statement of [...largeInstallation(counts), COUNT_DECISIONS]) await client.query(statement);
  for (const { definition } of rows) await client.query(definition);
  for (const statement of lastNames(counts)) await client.query(statement);
  await indexAll(await recordedPostgres(url, schema), counts);
  await client.query('vacuum analyze');
}

/** Indexes the names that `lastNames` left. */
async function indexAll(opened: RecordedDatabase, counts: LargeCounts): Promise<void> {
  await using database = opened;
  while ((await indexNames(database.db, endMs(counts), INDEXED_AT_ONCE)) >= INDEXED_AT_ONCE);
}
