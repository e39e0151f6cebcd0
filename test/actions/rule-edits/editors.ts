import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Unreadable, Way } from './acts.ts';

interface Writing {
  readonly folder: string;
  readonly file: string;
  readonly text: string;
  readonly way: Way;
  /** Runs while the file is incomplete. */
  readonly during: () => Promise<void>;
}

/** Writes a file as editors do. Resolves with the text that the file then has. */
export async function writeAs({ folder, file, text, way, during }: Writing): Promise<string> {
  const path = join(folder, file);
  // The file of a link would be written elsewhere.
  if (way !== 'inPlace') await rm(path, { force: true });
  switch (way) {
    case 'inPlace':
      await writeFile(path, text);
      break;
    case 'replaced':
      await writeFile(join(folder, `.${file}.swp`), text);
      await rename(join(folder, `.${file}.swp`), path);
      break;
    case 'backup':
      await writeFile(join(folder, `${file}~`), 'id: backup\n');
      await writeFile(join(folder, `#${file}#`), text);
      await during();
      await writeFile(path, text);
      for (const other of [`${file}~`, `#${file}#`]) await rm(join(folder, other));
      break;
    case 'halves':
      await writeFile(path, text.slice(0, text.indexOf('when:') + 8));
      await during();
      await writeFile(path, text);
      break;
    case 'windows': {
      const written = `\uFEFF${text.replaceAll('\n', '\r\n')}`;
      await writeFile(path, written);
      return written;
    }
    case 'link': {
      const shared = join(folder, '.shared');
      await mkdir(shared, { recursive: true });
      // A link that was moved keeps its file.
      const target = `${(await readdir(shared)).length}-${file}`;
      await writeFile(join(shared, target), text);
      await symlink(join('.shared', target), path);
      break;
    }
  }
  return text;
}

/** Leaves a file that cannot be read. */
export async function damage({
  folder,
  file,
  how,
}: {
  readonly folder: string;
  readonly file: string;
  readonly how: Unreadable;
}): Promise<void> {
  const path = join(folder, file);
  await rm(path, { force: true });
  const text = `id: ${file}\n`;
  switch (how) {
    case 'dangling':
      return symlink(join('.shared', 'gone'), path);
    case 'outside':
      await writeFile(`${folder}.outside.yaml`, text);
      return symlink(`${folder}.outside.yaml`, path);
    case 'utf16':
      return writeFile(path, Buffer.from(text, 'utf16le'));
    case 'huge':
      return writeFile(path, `# ${' '.repeat(300_000)}\n${text}`);
  }
}
