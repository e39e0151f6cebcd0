import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import type { Clock } from '#src/clock.ts';

/** A heap of any size may grow by this much between two full garbage collections. */
const ALWAYS_BYTES = 10_000_000;
/** The growth in percent that V8 allows in its memory saver mode. */
const LEAST_PERCENT = 10;
const MOST_PERCENT = 50;
const EVERY_MS = 60_000;

/**
 * Limits the growth of the heap between two garbage collections, because the process runs for months.
 *
 * Call it after the modules are loaded. V8 does not reuse cached code that was compiled with other flags.
 */
export function saveMemory(): void {
  if (hasFlags()) setFlagsFromString('--memory-saver-mode');
}

/**
 * Lets a small heap grow by 10 MB between two full garbage collections, until `signal` aborts. In its memory saver mode, V8 collects a heap of
 * 30 MB each time that it has grown by 3 MB, and each collection costs more than ten polls.
 */
export async function allowGrowthOfSmallHeap({ clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal }): Promise<void> {
  for (let last = 0; hasFlags() && !signal.aborted;) {
    const percent = growthPercent(getHeapStatistics().used_heap_size);
    if (percent !== last) setFlagsFromString(`--heap-growing-percent=${percent}`);
    last = percent;
    await clock.sleep(EVERY_MS, signal).catch(() => undefined);
  }
}

/** The growth to allow for a heap with this many bytes in use. */
export function growthPercent(usedBytes: number): number {
  return Math.min(MOST_PERCENT, Math.max(LEAST_PERCENT, Math.round((100 * ALWAYS_BYTES) / usedBytes)));
}

/** The V8 of Node 22 does not know the flags and would print an error. */
function hasFlags(): boolean {
  return Number.parseInt(process.versions.v8, 10) >= 13;
}
