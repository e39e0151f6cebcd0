import { constants, type Stats } from 'node:fs';
import { access, stat } from 'node:fs/promises';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  ENOTDIR: 'the file does not exist',
  EACCES: 'Fanfare has no permission to read it',
  EPERM: 'Fanfare has no permission to read it',
};

/** The reason why a local file cannot be sent, without opening it; undefined if it can. */
export async function findFileError(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    const isNone = fileKindError(found);
    if (isNone !== undefined) return isNone;
    await access(path, constants.R_OK);
    return found.size === 0 ? 'it is empty' : undefined;
  } catch (error) {
    return readErrorText(error);
  }
}

/** The reason why a path is no regular file: pipes and devices have no end. */
export function fileKindError(found: Stats): string | undefined {
  if (found.isFile()) return undefined;
  return found.isDirectory() ? 'it is a folder' : 'it is not a file';
}

/** The message for an error of the file system. */
export function readErrorText(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? (code || 'for an unknown reason');
}
