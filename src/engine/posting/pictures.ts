import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve, win32 } from 'node:path';
import type { Clock } from '#src/clock.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { fetchAttachment } from './fetch-attachment.ts';
import type { StoredPicture, OfferedPicture, PictureProblem } from './posting.ts';

/** Every platform accepts pictures of this size. */
const LARGEST_BYTES = 8 * 1024 * 1024;
/** Younger files are never deleted, because a picture is written before a draft names it. */
const YOUNG_MS = 60 * 60_000;

/** The file signatures of the picture formats that every platform accepts. */
const KINDS: readonly { readonly extension: string; readonly isOne: (bytes: Buffer) => boolean }[] = [
  { extension: 'png', isOne: (bytes) => begins(bytes, '\x89PNG\r\n\x1a\n') },
  { extension: 'jpg', isOne: (bytes) => begins(bytes, '\xff\xd8\xff') },
  { extension: 'gif', isOne: (bytes) => begins(bytes, 'GIF8') },
  { extension: 'webp', isOne: (bytes) => begins(bytes, 'RIFF') && begins(bytes.subarray(8), 'WEBP') },
];

export interface PicturesOptions {
  /** The folder of the stored pictures. */
  readonly folder: string;
  /** The hosts of pictures from Discord. */
  readonly hosts: ReadonlySet<string>;
  /** The pictures for other machines; absent: there are none. */
  readonly shared?: SharedPictures | undefined;
  readonly clock: Clock;
}

/** The pictures of all machines, by file name. */
export interface SharedPictures {
  put(name: string, bytes: Uint8Array): Promise<void>;
  get(name: string): Promise<Uint8Array | undefined>;
  /** Deletes pictures that are older than `youngMs` and not in `needed`. */
  sweep(needed: ReadonlySet<string>, youngMs: number): Promise<void>;
}

/** The pictures of posts that are not sent yet. Discord deletes its copies after a day. */
export interface Pictures {
  keep(offered: OfferedPicture, signal: AbortSignal): Promise<StoredPicture | PictureProblem>;
  /** Deletes old pictures that are not in `needed`. */
  sweep(needed: ReadonlySet<string>): Promise<void>;
}

export function createPictures({ folder, hosts, shared, clock }: PicturesOptions): Pictures {
  return {
    async keep({ url, sizeBytes, altText }, signal) {
      if (sizeBytes > LARGEST_BYTES) return 'tooLarge';
      if (!hosts.has(new URL(url).host)) return 'unreachable';
      const bytes = await fetchAttachment(url, { mostBytes: LARGEST_BYTES, signal });
      if (typeof bytes === 'string') return bytes;
      const kind = KINDS.find(({ isOne }) => isOne(bytes));
      if (!kind) return 'noPicture';
      const name = `${randomUUID()}.${kind.extension}`;
      const path = resolve(folder, name);
      await mkdir(folder, { recursive: true });
      await writeFile(path, bytes);
      await shared?.put(name, bytes);
      return { path, ...(altText !== undefined && { altText }) };
    },

    async sweep(needed) {
      // Names are compared, because the same folder can be written as different paths, also as one of Windows.
      const kept = new Set([...needed].map((path) => win32.basename(path)));
      await shared?.sweep(kept, YOUNG_MS);
      const names = await readdir(folder).catch(() => []);
      for (const path of names.filter((name) => !kept.has(name)).map((name) => join(folder, name))) {
        const { mtimeMs } = await stat(path);
        if (mtimeMs < clock.nowMs() - YOUNG_MS) await rm(path, { force: true });
      }
    },
  };
}

export interface LocalPicturesOptions {
  /** The folder of the stored pictures. */
  readonly folder: string;
  /** The pictures of other machines; absent: there are none. */
  readonly shared?: Pick<SharedPictures, 'get'> | undefined;
}

/**
 * Returns a function that finds the pictures of a post on this machine, if another machine stored them, or if the folder had another path:
 * operators move it to another disk or machine.
 */
export function localPicturesOf(options: LocalPicturesOptions): (params: JsonObject) => Promise<JsonObject> {
  return async (params) => {
    const { files } = params;
    if (!isJsonList(files)) return params;
    return { ...params, files: await Promise.all(files.map((file) => withLocalPicture(file, options))) };
  };
}

async function withLocalPicture(file: Json, { folder, shared }: LocalPicturesOptions): Promise<Json> {
  if (!isJsonObject(file) || typeof file['path'] !== 'string' || existsSync(file['path'])) return file;
  const name = win32.basename(file['path']);
  const path = resolve(folder, name);
  if (!existsSync(path)) {
    const bytes = await shared?.get(name);
    // The platform reports the missing file.
    if (!bytes) return file;
    await mkdir(folder, { recursive: true });
    // Other deliveries of the same post may look for the file now, and find all of it or nothing.
    const partial = `${path}.${randomUUID()}`;
    await writeFile(partial, bytes);
    await rename(partial, path);
  }
  return { ...file, path };
}

function begins(bytes: Buffer, text: string): boolean {
  return bytes.toString('latin1', 0, text.length) === text;
}
