import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { z } from 'zod';
import type { Files } from '#src/chat/files.ts';
import { PlatformError, ValidationError } from '#src/errors.ts';
import { fileNameOf, toFileName, type FetchFile } from '#src/media/fetch-file.ts';
import { forPart } from '#src/operation/part.ts';
import type { Attached } from './multipart.ts';

/** The most that Discord takes in one file. */
export const LARGEST_BYTES = 10 * 1024 * 1024;

type Wanted = NonNullable<z.output<typeof Files>>[number];

/** Gets what is to be attached; what need not be there is left out where it cannot be. */
export async function attach(wanted: readonly Wanted[], fetchFile: FetchFile, signal?: AbortSignal): Promise<readonly Attached[]> {
  const found = await Promise.all(
    wanted.map((one, index) =>
      isOptional(one) ? attempt(one, fetchFile, signal) : forPart({ parameter: 'files', index }, read(one, fetchFile, signal)),
    ),
  );
  return named(found.filter((one) => one !== undefined));
}

/** What a file will be called: by this, a message is known again. */
export function nameOf(file: Wanted): string {
  if (typeof file === 'string') return fileNameOf(file);
  if ('url' in file) return fileNameOf(file.url);
  return toFileName('path' in file ? basename(file.path) : file.name);
}

export function isOptional(file: Wanted): boolean {
  return typeof file === 'object' && file.optional === true;
}

async function attempt(file: Wanted, fetchFile: FetchFile, signal?: AbortSignal): Promise<Attached | undefined> {
  try {
    return await read(file, fetchFile, signal);
  } catch (error) {
    if (error instanceof PlatformError || error instanceof ValidationError) return undefined;
    throw error;
  }
}

/** An attached file. */
export async function read(file: Wanted, fetchFile: FetchFile, signal?: AbortSignal): Promise<Attached> {
  if (typeof file === 'string') return fetchFile(file, signal);
  const { altText } = file;
  if ('url' in file) return { ...(await fetchFile(file.url, signal)), altText };
  const bytes = 'path' in file ? await contentOf(file.path, signal) : Buffer.from(file.base64, 'base64');
  const name = nameOf(file);
  if (bytes.length > LARGEST_BYTES) {
    throw new PlatformError(`The file ${name} cannot be attached: it is larger than 10 MiB.`, { platform: 'discord', fault: 'rejected' });
  }
  return { name, contentType: 'application/octet-stream', bytes, altText };
}

async function contentOf(path: string, signal?: AbortSignal): Promise<Buffer> {
  try {
    return await readFile(path, { signal });
  } catch (cause) {
    signal?.throwIfAborted();
    throw new ValidationError(`the file ${path} cannot be read`, { path: 'files', cause });
  }
}

/** Two files of one name would be one to a card that shows them. */
function named(files: readonly Attached[]): readonly Attached[] {
  const names = new Set<string>();
  return files.map((file) => {
    let { name } = file;
    for (let number = 2; names.has(name); number++) name = `${number}_${file.name}`;
    names.add(name);
    return { ...file, name };
  });
}
