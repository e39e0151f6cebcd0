import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '#src/config/make-folder.ts';
import { codeOf, ConfigError } from '#src/errors.ts';
import { IGNORED_BY_GIT, type ProjectFile } from './project-files.ts';
import { writeNew } from './write-new.ts';

export interface CreatedProject {
  readonly written: readonly string[];
  /** Files that existed before. They are unchanged. */
  readonly kept: readonly string[];
  /** Lines that an existing `.gitignore` lacks. */
  readonly notIgnored: readonly string[];
}

/** Writes the files of a project that do not exist yet. An existing file is never changed. */
export async function createProject(folder: string, files: readonly ProjectFile[]): Promise<CreatedProject> {
  const written: string[] = [];
  const kept: string[] = [];
  for (const { path, text } of files) {
    const file = join(folder, path);
    if (await exists(file)) {
      kept.push(path);
      continue;
    }
    makeProjectFolder(dirname(file));
    await writeNew(file, text);
    written.push(path);
  }
  return { written, kept, notIgnored: kept.includes('.gitignore') ? await linesMissingIn(join(folder, '.gitignore')) : [] };
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return false;
    throw error;
  }
}

function makeProjectFolder(folder: string): void {
  try {
    makeFolder(folder, 0o777);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    throw new ConfigError(`the folder cannot be created (${code})`, { file: folder, hint: 'Name a folder that you can write to.' });
  }
}

async function linesMissingIn(file: string): Promise<readonly string[]> {
  const nameOf = (line: string): string => line.trim().replaceAll(/^\/|\/$/gu, '');
  const present = new Set((await readFile(file, 'utf8')).split('\n').map(nameOf));
  return IGNORED_BY_GIT.filter((line) => !present.has(nameOf(line)));
}
