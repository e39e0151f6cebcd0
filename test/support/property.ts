import fc from 'fast-check';

/** `npm run test:deep` sets this. */
const isDeep = process.env['FANFARE_DEEP'] !== undefined;

/** FANFARE_RUNS replaces the number of runs of all properties. */
const fixedRuns = process.env['FANFARE_RUNS'];

/** The number of runs of a property: `quick` in `npm test`, `deep` in `npm run test:deep`. */
export function runs(quick: number, deep: number): number {
  if (fixedRuns !== undefined) return Number(fixedRuns);
  return isDeep ? deep : quick;
}

// A fixed seed makes a run repeatable; FANFARE_SEED explores other values, and a failure prints its seed.
fc.configureGlobal({ seed: Number(process.env['FANFARE_SEED'] ?? 20_260_101) });

export { fc };
