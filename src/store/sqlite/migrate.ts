import type { DatabaseSync } from 'node:sqlite';
import { ConfigError } from '#src/errors.ts';
import { newestVersion, nextStep, type OnMigrate, type Schema } from '../schema/versions.ts';

export interface MigrateOptions {
  readonly file: string;
  readonly schema: Schema;
  readonly onMigrate?: OnMigrate | undefined;
}

/** Migrates a database to the newest version, one transaction per step; a new one in one transaction. Throws for the database of a newer Fanfare. */
export function migrate(database: DatabaseSync, { file, schema, onMigrate }: MigrateOptions): void {
  const newest = newestVersion(schema);
  let version = versionOf(database);
  if (version > 0 && version < newest) onMigrate?.({ from: version, to: newest });
  while (version < newest) version = migrateOnce(database, schema);
  if (version > newest) {
    throw new ConfigError(`a newer Fanfare wrote this state (version ${version} of the database; this Fanfare knows ${newest})`, {
      file,
      hint: 'update Fanfare, or restore a backup of this version with npx fanfare restore <file>',
    });
  }
}

/** Takes one step, or all of a new database, and returns the version. Another process may take the same step first. */
function migrateOnce(database: DatabaseSync, schema: Schema): number {
  database.exec('begin immediate');
  try {
    const from = versionOf(database);
    // The steps of a new database have no rows to change, and each commit waits for the disk.
    const last = from === 0 ? newestVersion(schema) : from + 1;
    let next = nextStep(schema, from);
    while (next && next.version <= last) {
      database.exec(`${next.sql}; pragma user_version = ${next.version}`);
      next = nextStep(schema, next.version);
    }
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
