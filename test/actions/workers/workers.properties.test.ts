import { expect, test } from 'vitest';
import { startTwoProcesses } from '../../store/postgres/timed-database.ts';
import { fc, runs } from '../../support/property.ts';
import { someRounds } from './acts.ts';
import { walk } from './walk.ts';

const WALKS = runs(2, 60);

const { database, one, two } = await startTwoProcesses();

test(`${WALKS} random walks: people who act on two workers at the same moment get answers of one order`, async () => {
  let [walks, met] = [0, 0];
  const property = fc.asyncProperty(someRounds, async (rounds) => {
    const name = String(walks++);
    const subjects = { rule: `rule-${name}`, list: `list-${name}`, server: `3000000000000${name.padStart(5, '0')}` };
    met += await walk({ database, processes: [one, two] }, subjects, rounds);
  });

  await fc.assert(property, { numRuns: WALKS });

  expect(met).toBeGreaterThan(0);
});
