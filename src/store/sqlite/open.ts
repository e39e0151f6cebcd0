import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite';
import { ConfigError } from '#src/errors.ts';
import { migrate } from './migrate.ts';
import { SCHEMA } from './schema.ts';

/** The name of a database that is gone when it is closed. */
export const MEMORY = ':memory:';

/** How long a process waits for another one that writes. */
const BUSY_MS = 5_000;

/** The database in `file`, made where there is none, in its newest version. What is committed to it outlives a loss of power. */
export function openDatabase(file: string): DatabaseSync {
  const database = openFile(file);
  try {
    database.exec('pragma journal_mode = wal; pragma synchronous = full');
    migrate(database, { file, schema: SCHEMA });
    return database;
  } catch (error) {
    database.close();
    throw isForeign(error)
      ? new ConfigError(`${file} is not a database of Fanfare`, { file, hint: 'point FANFARE_DATA at another folder' })
      : error;
  }
}

function openFile(file: string): DatabaseSync {
  try {
    if (file !== MEMORY) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return openForOwner(file, { timeout: BUSY_MS, enableForeignKeyConstraints: true });
  } catch {
    throw new ConfigError('the state cannot be kept here', { file, hint: 'point FANFARE_DATA at a folder that can be written to' });
  }
}

/** Opens a database that is made, where there is none, for its owner alone; SQLite gives what it puts beside it the same mode. */
export function openForOwner(file: string, options: DatabaseSyncOptions): DatabaseSync {
  // One that is there is left closed: closing a file takes SQLite's locks on it from the whole process.
  if (file !== MEMORY) make(file);
  return new DatabaseSync(file, options);
}

/** Makes an empty file, where there is none. */
function make(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function isForeign(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 26; // SQLITE_NOTADB
}
