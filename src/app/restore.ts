import { accessSync, constants, statSync } from 'node:fs';
import { codeOf, ConfigError } from '#src/errors.ts';
import { copyDatabase, discardDatabase } from '#src/store/sqlite/copy.ts';
import { keepAccess } from '#src/store/sqlite/keep-access.ts';
import { keepSpending } from '#src/store/sqlite/keep-spending.ts';
import { isUnused } from '#src/store/sqlite/unused.ts';
import { forgetGeneration, openStore } from '#src/store/store.ts';
import { openConfig } from '#src/config/open-config.ts';
import { makeDataDirectory } from '#src/config/data-directory.ts';
import { isState } from './backup-target.ts';
import type { CopyRequest } from './backup.ts';
import { lacksKeyOf } from './lacks-key.ts';
import { claimNow, replaceState } from './state-file.ts';
import { stateFileOf } from './stored-state.ts';

/** A restored copy. */
export interface Restored {
  /** The last instant that the copy contains; undefined if no rule had run. */
  readonly copiedAt: Date | undefined;
  /** The path of the previous state; undefined if there was none. */
  readonly before: string | undefined;
  /** Whether the copy has tokens of accounts, and the installation no key that could open them. */
  readonly lacksKey: boolean;
  /** Whether the people and tokens of the page are those of the copy, also those that were removed or revoked since. */
  readonly hasOldAccess: boolean;
}

/** Replaces the state with a copy. Before it sends, Fanfare searches the platforms for deliveries that the copy does not contain. */
export async function restore({ environment, file }: CopyRequest): Promise<Restored> {
  const config = openConfig(environment);
  if (config.databaseUrl !== undefined)
    throw new ConfigError('fanfare restore replaces SQLite files only', {
      file: 'DATABASE_URL',
      hint: 'the state is in PostgreSQL: restore the output of pg_dump with pg_restore, then run npx fanfare restore without a file',
    });
  const state = stateFileOf(config);
  requireReadable(file);
  if (!statSync(file).isFile()) throw new ConfigError('this is not a file', { file, hint: 'name a file that fanfare backup wrote' });
  if (isState(file, state))
    throw new ConfigError('this is the state, not a backup', { file, hint: 'name a file that fanfare backup wrote' });
  if (isUnused(file))
    throw new ConfigError('the backup is empty: Fanfare had not run with its state', {
      file,
      hint: 'name another file that fanfare backup wrote',
    });
  await makeDataDirectory(config);
  using _sender = await claimNow(state);

  const fresh = `${state}.restoring`;
  await copyDatabase({ from: file, to: fresh, role: 'backup' });
  const { copiedAt, sealedTokens, hasAccess } = await noteRestore(fresh);
  const { before, isAccessKept } = replaceWith(fresh, state);
  forgetGeneration(state);
  return {
    copiedAt: copiedAt.getTime() > 0 ? copiedAt : undefined,
    before,
    lacksKey: await lacksKeyOf(sealedTokens, config),
    hasOldAccess: hasAccess && !isAccessKept,
  };
}

/** Throws if the user of the command cannot read the backup, for example because it is in the home folder of another user. */
function requireReadable(file: string): void {
  try {
    accessSync(file, constants.R_OK);
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/** Why a backup cannot be read. macOS and Windows forbid some folders with EPERM. */
export function unreadable(file: string, cause: unknown): ConfigError {
  const [message, hint] = ['EACCES', 'EPERM'].includes(codeOf(cause) ?? '')
    ? [
        'this user has no permission to read it',
        'copy it to a folder that the user of Fanfare can read, and give it to this user, for example with sudo chown fanfare',
      ]
    : ['there is no such file', 'name a file that fanfare backup wrote'];
  return new ConfigError(message, { file, hint, cause });
}

/** Puts the copy in place of the state, with what the state knows better. A copy that cannot be put there is deleted. */
function replaceWith(copy: string, state: string): Pick<Restored, 'before'> & { readonly isAccessKept: boolean } {
  try {
    keepSpending({ from: state, to: copy });
    const isAccessKept = keepAccess({ from: state, to: copy });
    return { before: replaceState(state, copy), isAccessKept };
  } catch (error) {
    discardDatabase(copy);
    throw error;
  }
}

/** Migrates the copy and records the restore in it. A copy that cannot be migrated is deleted. */
async function noteRestore(copy: string) {
  try {
    await using store = await openStore({ file: copy });
    const { restores } = store;
    return { copiedAt: await restores.note(), sealedTokens: await restores.sealedTokens(), hasAccess: await restores.hasAccess() };
  } catch (error) {
    discardDatabase(copy);
    throw error;
  }
}
