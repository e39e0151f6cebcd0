import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite';
import { ConfigError } from '#src/errors.ts';
import { cannotOpen, damaged, foreign } from './cannot-open.ts';
import { migrate, versionOf } from './migrate.ts';
import { ownerOnly, ownFolderOnly } from './owner-only.ts';
import { SCHEMA } from './schema.ts';
import { letShrink } from './shrink.ts';

/** The name of a database that is gone when it is closed. */
export const MEMORY = ':memory:';

/** How long a process waits for another one that writes. */
const BUSY_MS = 5_000;

/**
 * The database in `file`, made where there is none, in its newest version. What is committed to it outlives a loss of power.
 *
 * `onEmpty` is called if nothing was kept in it.
 */
export function openDatabase(file: string, onEmpty: () => void = () => undefined): DatabaseSync {
  const database = openFile(file);
  try {
    if (isEmpty(database, file)) onEmpty();
    letShrink(database);
    database.exec('pragma journal_mode = wal; pragma synchronous = full');
    migrate(database, { file, schema: SCHEMA });
    return database;
  } catch (error) {
    database.close();
    throw cannotOpen(file, error);
  }
}

/** Whether a file has no tables; refuses one that is damaged, and one of another program, before anything is written to it. */
function isEmpty(database: DatabaseSync, file: string): boolean {
  requireSound(database, file);
  return tablesIn(database).length === 0;
}

/** Refuses a database that is damaged, and one of another program. */
export function requireSound(database: DatabaseSync, file: string): void {
  const [fault] = Object.values(database.prepare('pragma quick_check(1)').get() ?? {});
  if (fault !== 'ok') throw damaged(file);
  const tables = tablesIn(database);
  const isOurs = tables.includes('rule_state') || versionOf(database) > SCHEMA.length;
  if (tables.length > 0 && !isOurs) throw foreign(file);
}

function tablesIn(database: DatabaseSync): readonly unknown[] {
  return database
    .prepare("select name from sqlite_schema where type = 'table'")
    .all()
    .map(({ name }) => name);
}

function openFile(file: string): DatabaseSync {
  try {
    if (file !== MEMORY) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      ownFolderOnly(file);
    }
    return openForOwner(file, { timeout: BUSY_MS, enableForeignKeyConstraints: true });
  } catch {
    throw new ConfigError('the state cannot be kept here', { file, hint: 'point FANFARE_DATA at a folder that can be written to' });
  }
}

/** Opens a database for its owner alone, made where there is none; SQLite gives what it puts beside it the same mode. */
export function openForOwner(file: string, options: DatabaseSyncOptions): DatabaseSync {
  if (file !== MEMORY) ownerOnly(file);
  return new DatabaseSync(file, options);
}
