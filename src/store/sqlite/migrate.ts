import type { DatabaseSync } from 'node:sqlite';
import { ConfigError } from '#src/errors.ts';

export interface MigrateOptions {
  readonly file: string;
  /** One script per version, oldest first. */
  readonly schema: readonly string[];
}

/** Migrates a database to the newest version, one transaction per step. Throws for the database of a newer Fanfare. */
export function migrate(database: DatabaseSync, { file, schema }: MigrateOptions): void {
  let version = versionOf(database);
  while (version < schema.length) version = migrateOnce(database, schema);
  if (version > schema.length) {
    throw new ConfigError(`a newer Fanfare wrote this state (version ${version} of the database; this Fanfare knows ${schema.length})`, {
      file,
      hint: 'update Fanfare, or set FANFARE_DATA to another folder',
    });
  }
}

/** Takes one step and returns the version. Another process may take the same step first. */
function migrateOnce(database: DatabaseSync, schema: readonly string[]): number {
  database.exec('begin immediate');
  try {
    const version = versionOf(database);
    const next = schema[version];
    if (next !== undefined) database.exec(`${next}; pragma user_version = ${version + 1}`);
    database.exec('commit');
    return versionOf(database);
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

/** The schema version of a database; 0 without a schema. */
export function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('pragma user_version').get()?.['user_version']);
}
