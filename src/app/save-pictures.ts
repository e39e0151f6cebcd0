import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Client } from 'pg';
import { codeOf, ConfigError } from '#src/errors.ts';
import { folderRemedy } from '#src/config/data-directory.ts';
import { makeFolder } from '#src/config/make-folder.ts';

/** Saves the pictures of posts that machines shared through PostgreSQL. A picture that the folder already has stays. */
export async function savePictures(client: Client, folder: string): Promise<void> {
  const { rows: names } = await client.query<{ readonly name: string }>('select name from picture');
  for (const { name } of names) {
    const file = join(folder, basename(name));
    if (existsSync(file)) continue;
    const { rows } = await client.query<{ readonly bytes: Uint8Array }>('select bytes from picture where name = $1', [name]);
    for (const { bytes } of rows) save(file, { folder, bytes });
  }
}

function save(file: string, { folder, bytes }: { readonly folder: string; readonly bytes: Uint8Array }): void {
  try {
    makeFolder(folder);
    // A full disk keeps the beginning of a file.
    writeFileSync(`${file}.partial`, bytes);
    renameSync(`${file}.partial`, file);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    throw new ConfigError(`the picture of a scheduled post cannot be saved (${code})`, { file, hint: folderRemedy(code), cause: error });
  }
}
