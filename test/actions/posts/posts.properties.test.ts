import { expect, test } from 'vitest';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { fc, runs } from '../../support/property.ts';
import { someActs } from './acts.ts';
import { Installation } from './installation.ts';
import { NIGHTS } from './nights.ts';

const WALKS = runs(3, 50);

test(`${WALKS} random walks: posts are sent once, at their time, with their last text, or their author is told`, async () => {
  let sent = 0;
  const property = fc.asyncProperty(fc.constantFrom(...NIGHTS), someActs, async (night, acts) => {
    const clock = new ManualClock(night.startMs);
    await using store = await openStore({ clock });
    const installation = new Installation(night, clock, store);
    for (const act of acts) await installation.do(act);
    await installation.end();
    sent += installation.expected.sent;
  });

  await fc.assert(property, { numRuns: WALKS });

  expect(sent).toBeGreaterThan(0);
});
