// Lets the heap become small while V8 repeats a collection, and a minute of `saveCollections` pass every 20 ms. Ends normally if V8 does.
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { saveCollections, saveMemory } from '#src/app/save-memory.ts';

/** V8 repeats a collection after 8 seconds, and again half a second later. */
const BOTH_REPEATS_MS = 11_000;

let wake = (): void => undefined;
const clock = { nowMs: () => 0, sleep: () => new Promise<void>((resolve) => (wake = resolve)) };

saveMemory();
const burst = Array.from({ length: 1_500_000 }, (_, index) => ({ index, twice: [index, index] }));
void saveCollections({ clock, signal: new AbortController().signal });
burst.length = 0;
setFlagsFromString('--trace-memory-reducer');
const begunMs = performance.now();
while (performance.now() - begunMs < BOTH_REPEATS_MS) {
  await sleep(20);
  wake();
}
process.exit();
