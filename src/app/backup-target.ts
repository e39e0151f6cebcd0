import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ConfigError } from '#src/errors.ts';
import { isBackup } from '#src/store/sqlite/copy.ts';

/** Throws if `file` exists and is not a backup, or if it is the state or a file that SQLite or a lock puts beside it. */
export function refuseTarget(file: string, state: string): void {
  if (isState(file, state)) throw new ConfigError('the backup would overwrite the state', { file, hint: 'name another file' });
  // File systems of Windows and macOS ignore the case of letters.
  if (
    realPathOf(file)
      .toLowerCase()
      .startsWith(`${realPathOf(state).toLowerCase()}-`)
  )
    throw new ConfigError('this name is for files that belong to the state', {
      file,
      hint: `name a file that does not begin with ${basename(state)}-`,
    });
  const existing = statSync(file, { throwIfNoEntry: false });
  if (existing ? existing.isDirectory() : /[/\\]$/u.test(file))
    throw new ConfigError('the target is a folder, not a file', {
      file,
      hint: `name a file in it, for example ${join(file, 'fanfare-backup.sqlite')}`,
    });
  // An empty file has nothing to lose.
  if (!existing) return;
  if (!existing.isFile()) throw new ConfigError('the target is a device, a socket or a pipe, not a file', { file, hint: 'name a file' });
  if (existing.size === 0 || isBackup(file)) return;
  throw new ConfigError('the backup would replace a file that is not a backup', { file, hint: 'name another file' });
}

/** Whether a path leads to the state. */
export function isState(file: string, state: string): boolean {
  return realPathOf(file) === realPathOf(state);
}

/** The path without symbolic links. A file that does not exist has the path of its folder. */
function realPathOf(file: string): string {
  try {
    // Unlike `realpathSync`, it also returns the case of letters that the file system stores.
    return realpathSync.native(file);
  } catch {
    const folder = dirname(resolve(file));
    return folder === resolve(file) ? folder : join(realPathOf(folder), basename(file));
  }
}
