import { socialOperations } from './document.ts';
import { answered, changing } from './social/rows.ts';
import { openWorld } from './social/world.ts';
import { proves } from './table.ts';

proves({
  operations: Object.values(socialOperations).flat(),
  async open() {
    const world = await openWorld();
    return Object.assign(world, { client: world.social, answers: answered(world), changes: changing(world) });
  },
});
