import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '#src/clock.ts';
import { ConfigError } from '#src/errors.ts';
import { copyDatabase } from '#src/store/sqlite/copy.ts';
import { hasStarted } from '#src/store/sqlite/unused.ts';
import { configFileOf, listsFolderOf, openConfig } from '#src/config/open-config.ts';
import { refuseTarget } from './backup-target.ts';
import { refuseCutState, stateFileOf } from './stored-state.ts';
import { hasDataFile, keyFileOf, noteBackup } from '#src/config/data-directory.ts';
import { makeFolder } from '#src/config/make-folder.ts';

export interface CopyRequest {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The copy. */
  readonly file: string;
}

/** A copy that was made. */
export interface Backup {
  readonly file: string;
  readonly bytes: number;
  /** The existing files of the installation that the copy does not contain. */
  readonly apart: readonly string[];
  /** Whether the key of the tokens is one of `apart`. */
  readonly isKeyApart: boolean;
}

/** Copies the state of an installation, whether it runs or not. */
export async function backUp({ environment, file }: CopyRequest): Promise<Backup> {
  const config = openConfig(environment);
  if (config.databaseUrl !== undefined)
    throw new ConfigError('fanfare backup copies SQLite files only', {
      file: 'DATABASE_URL',
      hint: 'the state is in PostgreSQL: use pg_dump --schema=fanfare --format=custom',
    });
  const { dataDirectory, rulesDirectory } = config;
  const state = stateFileOf(config);
  if (!hasDataFile(state)) throw nothingToCopy('there is no state to back up', state);
  refuseTarget(file, state);
  refuseCutState(config);
  // A copy of a state that a command created in a wrong folder would replace the last good one.
  if (!hasStarted(state)) throw nothingToCopy('there is nothing to back up: Fanfare has not run with this state', state);
  makeFolderOf(file);
  await copyDatabase({ from: state, to: file });
  noteBackup(config, systemClock.nowMs());
  const apart = [
    keyFileOf(config),
    join(dataDirectory, 'pictures'),
    rulesDirectory,
    listsFolderOf(rulesDirectory),
    configFileOf(rulesDirectory),
    '.env',
  ];
  const existing = apart.filter((path) => existsSync(path));
  return { file, bytes: statSync(file).size, apart: existing, isKeyApart: existing.includes(keyFileOf(config)) };
}

function nothingToCopy(message: string, file: string): ConfigError {
  return new ConfigError(message, { file, hint: 'run the command in the folder of Fanfare, or set FANFARE_DATA' });
}

function makeFolderOf(file: string): void {
  try {
    makeFolder(dirname(file), 0o777);
  } catch {
    throw new ConfigError('the folder of the backup cannot be created', { file, hint: 'name a file in a folder that you can write to' });
  }
}
