import { expect, test } from 'vitest';
import { ManualClock } from '../../support/manual-clock.ts';
import { fc, runs } from '../../support/property.ts';
import { someActs } from './acts.ts';
import { Installation } from './installation.ts';

const WALKS = runs(3, 50);

test(`${WALKS} random walks: edits of rules lose nothing that another person did, and all readers see what runs`, async () => {
  let announced = 0;
  const property = fc.asyncProperty(someActs, async (acts) => {
    const installation = new Installation(new ManualClock());
    await using _stage = await installation.open();
    for (const act of acts) await installation.do(act);
    announced += installation.announced;
  });

  await fc.assert(property, { numRuns: WALKS });

  expect(announced).toBeGreaterThan(0);
});
