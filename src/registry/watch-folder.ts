import { watch, type FSWatcher } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '#src/clock.ts';

/** Editors write in bursts: a folder is looked at when it has been still for so long, */
const STILL_MS = 200;
/** or when it has been restless for so long. */
const RESTLESS_MS = 2_000;
/** Not every system and not every mounted volume says what changes: so often it is looked at anyway. */
const RESCAN_MS = 30_000;

export interface WatchFolderOptions {
  /** A folder, with all in it, or a file. */
  readonly path: string;
  /** Called one at a time; does not reject. */
  readonly onChange: () => Promise<unknown>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Calls `onChange` at once, a moment after something changed below a folder, and now and then, until `signal`. */
export async function watchFolder({ path, onChange, clock, signal }: WatchFolderOptions): Promise<void> {
  let changed = Promise.withResolvers<void>();
  // One each: Node's own way to watch all of them at once misses files that were replaced.
  const watchers = new Map<string, FSWatcher>();

  function close(folder: string): void {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  }

  function open(folder: string): void {
    try {
      const watcher = watch(folder, () => changed.resolve());
      watchers.set(folder, watcher);
      // A folder that is gone: what is there now is watched from the next look on.
      watcher.on('error', () => close(folder));
    } catch {
      // There are more of them than the system watches: the rescan sees them.
    }
  }

  async function watchAll(): Promise<void> {
    const folders = new Set(await foldersOf(path));
    // A folder that took the place of another has its name: all are opened anew.
    for (const folder of watchers.keys()) close(folder);
    for (const folder of folders) open(folder);
  }

  /** Resolves with whether something changed before the time was over. */
  async function change(withinMs: number): Promise<boolean> {
    const waiting = new AbortController();
    const over = clock.sleep(withinMs, AbortSignal.any([signal, waiting.signal])).then(
      () => false,
      () => false,
    );
    const came = await Promise.race([changed.promise.then(() => true), over]);
    waiting.abort();
    return came;
  }

  async function untilStill(): Promise<void> {
    const endMs = clock.nowMs() + RESTLESS_MS;
    do changed = Promise.withResolvers();
    while ((await change(STILL_MS)) && clock.nowMs() < endMs && !signal.aborted);
  }

  try {
    while (!signal.aborted) {
      // Before the look, so that nothing happens between the two.
      await watchAll();
      await onChange();
      if (await change(RESCAN_MS)) await untilStill();
    }
  } finally {
    for (const folder of watchers.keys()) close(folder);
  }
}

/** The folders in which something can change; none where there is nothing. */
async function foldersOf(path: string): Promise<readonly string[]> {
  try {
    if ((await stat(path)).isFile()) return [dirname(path)];
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    const below = entries.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
    return [path, ...below.filter((folder) => !/(^|[\\/])\.[^.]/u.test(folder.slice(path.length)))];
  } catch {
    return [];
  }
}
