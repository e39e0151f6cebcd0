import type { DatabaseSync } from 'node:sqlite';
import { ConfigError } from '#src/errors.ts';
import { newestVersion, nextStep, type OnMigrate, type Schema } from '../schema/versions.ts';

export interface MigrateOptions {
  readonly file: string;
  readonly schema: Schema;
  readonly onMigrate?: OnMigrate | undefined;
}

/** Migrates a database to the newest version, one transaction per step. Throws for the database of a newer Fanfare. */
export function migrate(database: DatabaseSync, { file, schema, onMigrate }: MigrateOptions): void {
  const newest = newestVersion(schema);
  let version = versionOf(database);
  if (version > 0 && version < newest) onMigrate?.({ from: version, to: newest });
  while (version < newest) version = migrateOnce(database, schema);
  if (version > newest) {
    throw new ConfigError(`a newer Fanfare wrote this state (version ${version} of the database; this Fanfare knows ${newest})`, {
      file,
      hint: 'update Fanfare, or restore a backup of this version with fanfare restore <file>',
    });
  }
}

/** Takes one step and returns the version. Another process may take the same step first. */
function migrateOnce(database: DatabaseSync, schema: Schema): number {
  database.exec('begin immediate');
  try {
    const next = nextStep(schema, versionOf(database));
    if (next) database.exec(`${next.sql}; pragma user_version = ${next.version}`);
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
