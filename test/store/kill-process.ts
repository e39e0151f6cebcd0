import { openStore } from '#src/store/store.ts';
import { committing, SLOT_MS } from '../support/firings.ts';

/** A process that commits a slot with a sync and `slots` slots without one, prints `done` and waits: `node kill-process.ts <file> <slots>`. */
const [file, slots] = process.argv.slice(2);
const store = await openStore({ file });
await store.ruleStates.commit(committing([]));
for (let slot = 1; slot <= Number(slots); slot++) {
  await store.ruleStates.commit(committing([], { slotMs: SLOT_MS + slot, mayBeLost: true }));
}
console.log('done');
setInterval(() => store, 60_000);
