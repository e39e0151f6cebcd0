import { writeFile } from 'node:fs/promises';
import { ConfigError } from '#src/errors.ts';

/** Writes a file that there is not; one that is there is never written over. */
export async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    if (code === 'EEXIST')
      throw new ConfigError('there is such a file already, and it stays as it is', { file, hint: 'choose another id' });
    if (code === undefined) throw error;
    throw new ConfigError('it cannot be written', { file, hint: code });
  }
}
