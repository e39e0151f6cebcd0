// Prints the heap in use, in megabytes, after a burst and a minute of `saveCollections`.
import { setImmediate } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { saveCollections, saveMemory } from '#src/app/save-memory.ts';

let wake = (): void => undefined;
const clock = { nowMs: () => 0, sleep: () => new Promise<void>((resolve) => (wake = resolve)) };

saveMemory();
void saveCollections({ clock, signal: new AbortController().signal });
const burst = Array.from({ length: 1_500_000 }, (_, index) => ({ index, twice: [index, index] }));
const peak = getHeapStatistics().used_heap_size;
burst.length = 0;
wake();
await setImmediate();
console.log(JSON.stringify([peak, getHeapStatistics().used_heap_size].map((bytes) => Math.round(bytes / 1e6))));
process.exit();
