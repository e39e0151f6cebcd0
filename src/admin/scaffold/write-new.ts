import { randomUUID } from 'node:crypto';
import { constants, copyFile, link, open, rm } from 'node:fs/promises';
import { codeOf, ConfigError } from '#src/errors.ts';

const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: make room on it, and run the command again',
  EDQUOT: 'the disk is full: make room on it, and run the command again',
  EACCES: 'run the command as the owner of the folder, or let this user write to it',
  EPERM: 'run the command as the owner of the folder, or let this user write to it',
  EROFS: 'the disk is read-only: make it writable, and run the command again',
};

/** Writes a new file completely or not at all. Throws if the file exists. */
export async function writeNew(file: string, text: string): Promise<void> {
  // The suffix keeps other processes from loading the unfinished file as a rule.
  const unfinished = `${file}.${randomUUID()}.part`;
  try {
    await writeDown(unfinished, text);
    await putInPlace(unfinished, file);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') throw new ConfigError('the file already exists', { file, hint: 'choose another id' });
    if (code === undefined) throw error;
    throw new ConfigError(`the file cannot be written (${code})`, { file, hint: REMEDIES[code] });
  } finally {
    await rm(unfinished, { force: true }).catch(() => undefined);
  }
}

/** A file to write. */
export interface NewFile {
  readonly file: string;
  readonly text: string;
}

/** Writes new files in this order. If one of them cannot be written, none of them stays. */
export async function writeAllNew(files: readonly NewFile[]): Promise<void> {
  const written: string[] = [];
  try {
    for (const { file, text } of files) {
      await writeNew(file, text);
      written.push(file);
    }
  } catch (error) {
    for (const file of written) await rm(file, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function writeDown(file: string, text: string): Promise<void> {
  await using written = await open(file, 'wx');
  await written.writeFile(text);
  await written.sync();
}

async function putInPlace(unfinished: string, file: string): Promise<void> {
  try {
    await link(unfinished, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error;
    // Some disks and shared folders have no hard links, which each system says with another code: Windows with EISDIR.
    await copyFile(unfinished, file, constants.COPYFILE_EXCL);
  }
}
