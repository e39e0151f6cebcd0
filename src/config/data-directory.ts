import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, ConfigError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { Config } from './config.ts';
import { makeFolder } from './make-folder.ts';

/** The file of the key, for installations without `FANFARE_KEY`. */
export function keyFileOf({ dataDirectory }: Pick<Config, 'dataDirectory'>): string {
  return join(dataDirectory, 'key');
}

/** The file with the time of the last backup. */
function backupNoteOf({ dataDirectory }: Pick<Config, 'dataDirectory'>): string {
  return join(dataDirectory, 'fanfare.sqlite-backup');
}

/** Notes the time of a backup, for the metric of the running process. The backup is complete even if its time cannot be noted. */
export function noteBackup(config: Pick<Config, 'dataDirectory'>, nowMs: number): void {
  const note = backupNoteOf(config);
  try {
    // Another user may have written the note before.
    writeFileSync(`${note}.partial`, `${new Date(nowMs).toISOString()}\n`);
    renameSync(`${note}.partial`, note);
  } catch {
    // The metric then shows an older backup.
  }
}

/** The time of the last backup in milliseconds since 1970; 0 if there was none. */
export function lastBackupMs(config: Pick<Config, 'dataDirectory'>): number {
  try {
    return Date.parse(readFileSync(backupNoteOf(config), 'utf8').trim()) || 0;
  } catch {
    return 0;
  }
}

/**
 * How to fix a data folder that cannot be created or written, by error code of the system. The folder may have a state, which another
 * `FANFARE_DATA` alone would leave behind.
 */
export function folderRemedy(code: string): string {
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'make room there, or move the folder to another disk and set FANFARE_DATA';
  if (code === 'EEXIST') return 'a file has the name of the folder or of a parent folder: set FANFARE_DATA to another folder';
  if (code === 'EACCES')
    return 'run the command as the user of Fanfare, for example with sudo -u fanfare, or let this user write to the folder';
  // The parents are created, so this is a drive of Windows that does not exist, or a name that the system refuses.
  if (code === 'ENOENT') return 'connect the disk of this path, or correct FANFARE_DATA';
  if (code === 'EROFS') return 'make the disk writable, or move the folder to another disk and set FANFARE_DATA';
  return 'make the folder writable, or move it to another place and set FANFARE_DATA';
}

/** Creates the data folder if it does not exist. Throws if the folder cannot be written to. */
export async function makeDataDirectory({ dataDirectory }: Pick<Config, 'dataDirectory'>): Promise<void> {
  try {
    makeFolder(dataDirectory);
  } catch (error) {
    const create = `run the command as the user of Fanfare, or create the folder for this user: sudo install -d -o fanfare -m 700 ${dataDirectory}`;
    throw unusable('the data folder cannot be created', dataDirectory, error, codeOf(error) === 'EACCES' ? create : undefined);
  }
  try {
    await access(dataDirectory, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusable('the data folder cannot be written to', dataDirectory, error);
  }
}

/** Whether the data folder has this file. Throws if the user may not know, because a state would seem to be missing. */
export function hasDataFile(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    const code = codeOf(error) ?? 'unknown error';
    throw new ConfigError('the data folder cannot be read', {
      file,
      hint: `${code}: ${code === 'EACCES' ? 'run the command as the user of Fanfare, for example with sudo -u fanfare' : 'repair the folder, or correct FANFARE_DATA'}`,
    });
  }
}

function unusable(message: string, file: string, error: unknown, remedy = folderRemedy(codeOf(error) ?? '')): ConfigError {
  const code = codeOf(error);
  return new ConfigError(message, { file, hint: code === undefined ? remedy : `${code}: ${remedy}` });
}

/** Warns if the state is empty although a key shows that Fanfare ran here before. */
export function warnOfLoss(config: Pick<Config, 'dataDirectory'>, log: Pick<Log, 'warn'>): void {
  const key = keyFileOf(config);
  if (!existsSync(key)) return;
  const remedy = 'If the state was lost, stop Fanfare and restore a backup: npx fanfare restore <file>';
  log.warn({ key }, `the state is empty, although the data folder has the key of an earlier installation. ${remedy}`);
}
