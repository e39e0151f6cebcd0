import { constants, type Stats } from 'node:fs';
import { access, stat } from 'node:fs/promises';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is none',
  ENOTDIR: 'there is none',
  EACCES: 'Fanfare may not read it',
  EPERM: 'Fanfare may not read it',
};

/** Why a file of this machine could not be sent, by a look that does not open it; undefined: nothing speaks against it. */
export async function troubleWithFile(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    const isNone = whyNoFile(found);
    if (isNone !== undefined) return isNone;
    await access(path, constants.R_OK);
    return found.size === 0 ? 'it is empty' : undefined;
  } catch (error) {
    return whyUnreadable(error);
  }
}

/** Why what stands at a path is nothing to be read: a pipe or a device has no end. */
export function whyNoFile(found: Stats): string | undefined {
  if (found.isFile()) return undefined;
  return found.isDirectory() ? 'it is a folder' : 'it is no file';
}

/** What an error of the file system says of a file. */
export function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? (code || 'for an unknown reason');
}
