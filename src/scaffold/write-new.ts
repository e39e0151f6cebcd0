import { randomUUID } from 'node:crypto';
import { constants, copyFile, link, open, rm } from 'node:fs/promises';
import { ConfigError } from '#src/errors.ts';

/** Writes a file that there is not, whole or not at all; one that is there is never written over. */
export async function writeNew(file: string, text: string): Promise<void> {
  // Its name is none of a rule file's: whoever looks at the folder meanwhile passes it over.
  const unfinished = `${file}.${randomUUID()}.part`;
  try {
    await writeDown(unfinished, text);
    await putInPlace(unfinished, file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    if (code === 'EEXIST')
      throw new ConfigError('there is such a file already, and it stays as it is', { file, hint: 'choose another id' });
    if (code === undefined) throw error;
    throw new ConfigError('it cannot be written', { file, hint: code });
  } finally {
    await rm(unfinished, { force: true }).catch(() => undefined);
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
    const isUnlinkable =
      error instanceof Error && 'code' in error && ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(String(error.code));
    if (!isUnlinkable) throw error;
    // Some shared folders know no second name of a file.
    await copyFile(unfinished, file, constants.COPYFILE_EXCL);
  }
}
