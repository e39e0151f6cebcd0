import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fetch } from 'undici';
import type { Clock } from '#src/clock.ts';
import type { StoredPicture, OfferedPicture, PictureProblem } from './posting.ts';

/** What every platform takes. */
const LARGEST_BYTES = 8 * 1024 * 1024;
const PATIENCE_MS = 10_000;
/** A picture is in the folder before anybody knows of it. */
const YOUNG_MS = 60 * 60_000;

/** How the kinds of pictures that every platform takes begin. */
const KINDS: readonly { readonly extension: string; readonly isOne: (bytes: Buffer) => boolean }[] = [
  { extension: 'png', isOne: (bytes) => begins(bytes, '\x89PNG\r\n\x1a\n') },
  { extension: 'jpg', isOne: (bytes) => begins(bytes, '\xff\xd8\xff') },
  { extension: 'gif', isOne: (bytes) => begins(bytes, 'GIF8') },
  { extension: 'webp', isOne: (bytes) => begins(bytes, 'RIFF') && begins(bytes.subarray(8), 'WEBP') },
];

export interface PicturesOptions {
  /** Where they are kept. */
  readonly folder: string;
  /** The hosts that Discord offers pictures at. */
  readonly hosts: ReadonlySet<string>;
  readonly clock: Clock;
}

/** Pictures of posts that are not sent yet: Discord's own addresses of them are good for a day. */
export interface Pictures {
  keep(offered: OfferedPicture, signal: AbortSignal): Promise<StoredPicture | PictureProblem>;
  /** Lets go of those that nobody needs. */
  sweep(needed: ReadonlySet<string>): Promise<void>;
}

export function createPictures({ folder, hosts, clock }: PicturesOptions): Pictures {
  return {
    async keep({ url, sizeBytes, altText }, signal) {
      if (sizeBytes > LARGEST_BYTES) return 'tooLarge';
      if (!hosts.has(new URL(url).host)) return 'unreachable';
      const bytes = await fetchBytes(url, AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]));
      signal.throwIfAborted();
      if (typeof bytes === 'string') return bytes;
      const kind = KINDS.find(({ isOne }) => isOne(bytes));
      if (!kind) return 'noPicture';
      const path = resolve(folder, `${randomUUID()}.${kind.extension}`);
      await mkdir(folder, { recursive: true });
      await writeFile(path, bytes);
      return { path, ...(altText !== undefined && { altText }) };
    },

    async sweep(needed) {
      // By their names, which nobody else has: the folder may have been written in another way.
      const kept = new Set([...needed].map((path) => basename(path)));
      const names = await readdir(folder).catch(() => []);
      for (const path of names.filter((name) => !kept.has(name)).map((name) => join(folder, name))) {
        const { mtimeMs } = await stat(path);
        if (mtimeMs < clock.nowMs() - YOUNG_MS) await rm(path, { force: true });
      }
    },
  };
}

/** What is there, unless it is too much. */
async function fetchBytes(url: string, signal: AbortSignal): Promise<Buffer | PictureProblem> {
  try {
    const answer = await fetch(url, { signal, redirect: 'error' });
    if (!answer.ok || !answer.body) return 'unreachable';
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of answer.body) {
      size += piece.byteLength;
      if (size > LARGEST_BYTES) return 'tooLarge';
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  } catch {
    return 'unreachable';
  }
}

function begins(bytes: Buffer, text: string): boolean {
  return bytes.toString('latin1', 0, text.length) === text;
}
