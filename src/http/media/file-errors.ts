import { constants, type Stats } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { codeOf } from '#src/errors.ts';

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
    const isNone = fileKindError(found) ?? privateFileError(path, found);
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

const MEDIA = /\.(?:avif|gif|jpe?g|png|webp|m4v|mov|mp4|webm|aac|flac|m4a|mp3|oga|ogg|opus|wav)$/iu;
/** The rights of the group and of others. */
const OF_OTHERS = 0o077;

/**
 * The reason why a file is not meant for publication: keys, tokens and state are in files that are hidden or that only their owner can read.
 * Pictures, videos and sounds are never private. Windows has no such rights.
 */
export function privateFileError(path: string, { mode }: Pick<Stats, 'mode'>): string | undefined {
  if (MEDIA.test(path)) return undefined;
  const isHidden = relative('', resolve(path))
    .split(/[/\\]/u)
    .some((name) => /^\.[^.]/u.test(name));
  if (isHidden) return 'it is hidden, so it may contain a secret: copy it to a file whose name does not begin with a dot';
  if ((mode & OF_OTHERS) === 0) return 'only its owner can read it, so it may contain a secret: allow others to read it';
  return undefined;
}

/** The message for an error of the file system. */
export function readErrorText(error: unknown): string {
  const code = codeOf(error) ?? 'for an unknown reason';
  return REASONS[code] ?? code;
}
