import { randomUUID } from 'node:crypto';
import { rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isForOthers } from '#src/secrets/modes.ts';
import { folderRemedy } from '#src/config/data-directory.ts';
import { bad, type CheckResult } from './check-result.ts';

/** Less is full soon: recordings and backups take their share. */
const LITTLE_BYTES = 200 * 1024 * 1024;

export interface MachineOptions {
  readonly dataDirectory: string;
  /** Of the key of the secrets. */
  readonly keyFile: string;
  /** Whether the key is in the environment. */
  readonly hasWrittenKey: boolean;
}

/** What has to be right on the machine itself. */
export async function examineMachine({ dataDirectory, keyFile, hasWrittenKey }: MachineOptions): Promise<readonly CheckResult[]> {
  return [
    { about: 'Node', state: 'good', what: process.version },
    await examineFolder(dataDirectory),
    ...(hasWrittenKey ? [{ about: 'the key', state: 'good', what: 'FANFARE_KEY is set' } as const] : await examineKey(keyFile)),
  ];
}

async function examineFolder(path: string): Promise<CheckResult> {
  const about = 'the state';
  const probe = join(path, `.doctor-${randomUUID()}`);
  try {
    await writeFile(probe, 'x', { flag: 'wx' });
    await rm(probe);
    const { bavail, bsize } = await statfs(path);
    const free = bavail * bsize;
    const gib = (free / 1024 ** 3).toFixed(1);
    if (free > LITTLE_BYTES) return { about, state: 'good', what: `${path} can be written to; ${gib} GiB are free` };
    return {
      about,
      state: 'warning',
      what: `only ${Math.round(free / 1024 ** 2)} MiB are free in ${path}`,
      remedy: 'make room, or point FANFARE_DATA elsewhere',
    };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    const remedy = code === 'ENOENT' ? 'it is made at the first start' : folderRemedy(code);
    return { about, state: code === 'ENOENT' ? 'warning' : 'bad', what: `${path} cannot be written to: ${code}`, remedy };
  }
}

async function examineKey(path: string): Promise<readonly CheckResult[]> {
  try {
    const { mode } = await stat(path);
    if (!isForOthers(mode)) return [{ about: 'the key', state: 'good', what: `${path} is for its owner alone` }];
    return [{ about: 'the key', state: 'bad', what: `others may read ${path}`, remedy: `chmod 600 ${path}` }];
  } catch (error) {
    // It is made by the first sign-in.
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? [] : [bad('the key', error)];
  }
}
