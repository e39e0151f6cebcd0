import { codeOf } from '#src/errors.ts';
import { randomUUID } from 'node:crypto';
import { rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openKey } from '#src/http/secrets/key.ts';
import { isForOthers } from '#src/http/secrets/modes.ts';
import { folderRemedy } from '#src/config/data-directory.ts';
import { failedCheck, type CheckResult } from './check-result.ts';

/** The doctor warns below this free space. Recordings and backups need some of it. */
const LOW_SPACE_BYTES = 200 * 1024 * 1024;

export interface MachineOptions {
  readonly dataDirectory: string;
  /** The file with the key for secrets. */
  readonly keyFile: string;
  readonly environmentKey: string | undefined;
  /** The `.env` file, which may not exist. */
  readonly environmentFile: string;
  readonly platform?: NodeJS.Platform;
}

/** Checks Node, the data folder, the key and the `.env` file. */
export async function examineMachine(options: MachineOptions): Promise<readonly CheckResult[]> {
  const { dataDirectory, environmentFile } = options;
  return [
    { about: 'Node', state: 'good', what: process.version },
    await examineFolder(dataDirectory),
    ...(await examineKey(options)),
    ...(await examineEnvironmentFile(environmentFile)),
  ];
}

async function examineFolder(path: string): Promise<CheckResult> {
  const about = 'data folder';
  const probe = join(path, `.doctor-${randomUUID()}`);
  try {
    // A full disk creates the file, and refuses its content.
    try {
      await writeFile(probe, 'x', { flag: 'wx' });
    } finally {
      await rm(probe, { force: true });
    }
    const { bavail, bsize } = await statfs(path);
    const free = bavail * bsize;
    const gib = (free / 1024 ** 3).toFixed(1);
    const known = { path, freeBytes: free };
    if (free > LOW_SPACE_BYTES)
      return { about, state: 'good', what: `${path} is writable; ${gib} GiB free`, reason: { kind: 'folderWritable', ...known } };
    return {
      about,
      state: 'warning',
      what: `only ${Math.round(free / 1024 ** 2)} MiB free in ${path}`,
      remedy: 'free some space, or move the folder to another disk and set FANFARE_DATA',
      reason: { kind: 'folderFull', ...known },
    };
  } catch (error) {
    const code = codeOf(error) ?? 'unknown';
    const remedy = code === 'ENOENT' ? 'the first start creates it' : folderRemedy(code);
    return {
      about,
      state: code === 'ENOENT' ? 'warning' : 'bad',
      what: code === 'ENOENT' ? `${path} does not exist yet` : `${path} is not writable: ${code}`,
      remedy,
      reason: code === 'ENOENT' ? { kind: 'folderMissing', path } : { kind: 'folderNotWritable', path, code },
    };
  }
}

async function examineKey({ environmentKey, keyFile: path, platform = process.platform }: MachineOptions): Promise<readonly CheckResult[]> {
  try {
    const { mode } = environmentKey === undefined ? await stat(path) : {};
    if (mode === undefined || !isForOthers(mode)) {
      // A file that a power cut emptied is no key.
      await openKey({ written: environmentKey, file: path });
      // Windows has no modes that show who can read it.
      if (mode !== undefined && platform === 'win32') return [];
      return [
        mode === undefined
          ? { about: 'the key', state: 'good', what: 'FANFARE_KEY is set', reason: { kind: 'keyInEnvironment' } }
          : { about: 'the key', state: 'good', what: `only its owner can read ${path}`, reason: { kind: 'keyPrivate', path } },
      ];
    }
    return [
      {
        about: 'the key',
        state: 'bad',
        what: `other users can read ${path}`,
        remedy: `chmod 600 ${path}`,
        reason: { kind: 'keyReadable', path },
      },
    ];
  } catch (error) {
    // The first sign-in creates the key.
    return codeOf(error) === 'ENOENT' ? [] : [failedCheck('the key', error)];
  }
}

/** Most `.env` files have secrets. One that only its owner can read needs no line. */
async function examineEnvironmentFile(path: string): Promise<readonly CheckResult[]> {
  try {
    const { mode } = await stat(path);
    if (!isForOthers(mode)) return [];
    const reason = { kind: 'environmentReadable', path } as const;
    return [{ about: '.env', state: 'warning', what: `other users can read ${path}`, remedy: `chmod 600 ${path}`, reason }];
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? [] : [failedCheck('.env', error)];
  }
}
