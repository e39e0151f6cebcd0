import { watch, type FSWatcher } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '#src/clock.ts';
import { Alarm } from '#src/engine/alarm.ts';
import { walkFolder } from '#src/rules/walk-folder.ts';

/** Editors write in bursts, so Fanfare reads a folder after it has been unchanged for this time, */
const STILL_MS = 200;
/** or after it has kept changing for this time. */
const RESTLESS_MS = 2_000;
/** Some systems and mounted volumes report no changes, so Fanfare also reads the folder at this interval. */
const RESCAN_MS = 30_000;

export interface WatchFolderOptions {
  /** A folder with its subfolders, or a file. */
  readonly path: string;
  /** Must not reject. Calls do not overlap. */
  readonly onChange: () => Promise<unknown>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Calls `onChange` at once, after each change below a folder, and at a fixed interval, until `signal` aborts. */
export async function watchFolder({ path, onChange, clock, signal }: WatchFolderOptions): Promise<void> {
  const changed = new Alarm();
  // Each folder has its own watcher, because the recursive watcher of Node misses replaced files.
  const watchers = new Map<string, FSWatcher>();

  function close(folder: string): void {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  }

  function open(folder: string): void {
    try {
      const watcher = watch(folder, () => changed.ring());
      watchers.set(folder, watcher);
      // A deleted folder. The next scan watches its replacement.
      watcher.on('error', () => close(folder));
    } catch {
      // The system has too many watchers. The rescan finds changes of this folder.
    }
  }

  async function watchAll(): Promise<void> {
    const folders = new Set(await foldersOf(path));
    // A replaced folder has the same name, so all watchers are opened again.
    for (const folder of watchers.keys()) close(folder);
    for (const folder of folders) open(folder);
  }

  async function untilStill(): Promise<void> {
    const endMs = clock.nowMs() + RESTLESS_MS;
    while (clock.nowMs() < endMs && (await changed.wait(STILL_MS, { clock, signal })));
  }

  try {
    while (!signal.aborted) {
      // Watching starts before the read, so no change in between is lost.
      await watchAll();
      await onChange();
      if (await changed.wait(RESCAN_MS, { clock, signal })) await untilStill();
    }
  } finally {
    for (const folder of watchers.keys()) close(folder);
  }
}

/** The folders to watch; empty if the path does not exist. */
async function foldersOf(path: string): Promise<readonly string[]> {
  try {
    return (await stat(path)).isFile() ? [dirname(path)] : (await walkFolder(path)).folders;
  } catch {
    return [];
  }
}
