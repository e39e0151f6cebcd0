import { openStore } from '#src/store/store.ts';
import { committing, creating, firing, SLOT_MS } from '../support/firings.ts';

/** A process that commits `slots` slots of one rule and prints how many it got: `node commit-process.ts <file> <slots>`. */
const [file, slots] = process.argv.slice(2);
await using store = await openStore({ file });

let written = 0;
for (let slot = 1; slot <= Number(slots); slot++) {
  const fired = firing([creating(['x'])], { occasion: String(slot) });
  if (await store.ruleStates.commit(committing([fired], { slotMs: SLOT_MS + slot }))) written++;
}
console.log(written);
