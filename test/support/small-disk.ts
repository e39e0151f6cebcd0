import { spawnSync } from 'node:child_process';
import { statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

/** A disk that becomes full. */
export interface SmallDisk extends Disposable {
  readonly path: string;
  /** Leaves at most this many free bytes. */
  fill(freeBytes: number): void;
}

const DISK_BYTES = 2_097_152;

/** A disk of 2 MB in memory; undefined if this user or this system cannot mount one. */
export function mountSmallDisk(): SmallDisk | undefined {
  const folder = temporaryFolder();
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', folder.path], { stdio: 'ignore' });
  if (status !== 0) {
    folder[Symbol.dispose]();
    return undefined;
  }
  return {
    path: folder.path,
    fill(freeBytes) {
      const { bfree, bsize } = statfsSync(folder.path);
      writeFileSync(join(folder.path, 'filler'), Buffer.alloc(Math.max(0, bfree * bsize - freeBytes)));
    },
    [Symbol.dispose]() {
      spawnSync('umount', ['-l', folder.path], { stdio: 'ignore' });
      folder[Symbol.dispose]();
    },
  };
}
