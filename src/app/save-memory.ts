import { runInNewContext } from 'node:vm';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import type { Clock } from '#src/clock.ts';

/** A heap of any size may grow by this much between two full garbage collections. */
const ALWAYS_BYTES = 10_000_000;
/** The growth in percent that V8 allows in its memory saver mode. */
const LEAST_PERCENT = 10;
const MOST_PERCENT = 50;
const LARGE_BYTES = 64_000_000;
/** How often V8 repeats a collection, if nothing else is set. */
const USUAL_REPEATS = 2;
/** V8 does not begin to repeat a collection before this age of the process. */
const NO_REPEATS_MS = 7_000;
const EVERY_MS = 60_000;

/**
 * Limits the growth of the heap between two garbage collections, because the process runs for months.
 *
 * Call it after the modules are loaded. V8 does not reuse cached code that was compiled with other flags.
 */
export function saveMemory(): void {
  if (!hasFlags()) return;
  setFlagsFromString('--memory-saver-mode');
  // V8 ends the process if it has begun more repeats than a lowered limit allows, so the limit is lowered before the first one only.
  if (performance.now() < NO_REPEATS_MS) setFlagsFromString('--memory-reducer-gc-count=0');
}

/**
 * Saves full garbage collections while the heap is small, until `signal` aborts. Call it after the first polls.
 *
 * - In its memory saver mode, V8 collects a heap of 30 MB each time that it has grown by 3 MB, and each collection costs more than ten polls. Here it
 *   grows by 10 MB.
 * - Eight seconds after a collection, V8 collects up to twice more to return memory, which is worth it for a large heap only. Once the heap was large,
 *   V8 does so until the process ends.
 */
export async function saveCollections({ clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal }): Promise<void> {
  let isLarge = false;
  while (hasFlags() && !signal.aborted) {
    const usedBytes = getHeapStatistics().used_heap_size;
    const wasLarge: boolean = isLarge;
    isLarge = usedBytes >= (wasLarge ? LARGE_BYTES / 2 : LARGE_BYTES);
    setFlagsFromString(`--heap-growing-percent=${growthPercent(usedBytes)}`);
    if (isLarge) setFlagsFromString(`--memory-reducer-gc-count=${USUAL_REPEATS}`);
    // V8 applies a lower limit after its next collection only, which can be hours away after a burst.
    if (isLarge && !wasLarge) collect();
    await clock.sleep(EVERY_MS, signal).catch(() => undefined);
  }
}

/** The growth to allow for a heap with this many bytes in use. */
export function growthPercent(usedBytes: number): number {
  return Math.min(MOST_PERCENT, Math.max(LEAST_PERCENT, Math.round((100 * ALWAYS_BYTES) / usedBytes)));
}

/** Collects the garbage of the whole heap. */
function collect(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
}

/** The V8 of Node 22 does not know the flags and would print an error. */
function hasFlags(): boolean {
  return Number.parseInt(process.versions.v8, 10) >= 13;
}
